import { useEffect, useState } from 'preact/hooks';

import type { Filter } from '../document/model.js';
import { EXACT, Options, type InputEvent } from '../forms/field-input.js';
import { Button, FieldName, Icon } from '../parts/elements.js';
import { localTime, utcDay } from '../parts/format.js';
import { useSettled } from '../parts/use-settled.js';
import type { List } from './list.js';
import { setFilter, type ListQuery } from './list-query.js';

interface Props {
  readonly list: List;
  readonly onChange: (change: (query: ListQuery) => ListQuery) => void;
}

const TYPING_MS = 400;
const WORDS = { equal: '', min: ' from', max: ' to', prefix: ' begins with' };

/** The filters of a list as chips: each has one filter, or both ends of a range. Folded on a phone. */
export function FilterBar({ list: { collection, query }, onChange }: Props) {
  const groups = Object.values(Object.groupBy(collection.filters, ({ field, kind }) => `${field} ${kind === 'equal'}`));
  const isActive = (filters: readonly Filter[] = []): boolean => filters.some(({ name }) => name in query);
  const isOpen = matchMedia('(min-width: 48rem)').matches || isActive(collection.filters);
  if (groups.length === 0) return null;
  return (
    <details open={isOpen}>
      <summary class="filter-toggle">
        <Icon name="filter" /> Filters
      </summary>
      <div class="filters">
        {groups.map((filters = []) => (
          <div key={filters[0]?.name} class={isActive(filters) ? 'chip active' : 'chip'}>
            {filters.map((filter) => (
              <label key={filter.name}>
                <span>
                  {/* The second end of a range repeats the name only for screen readers. */}
                  <span class={filter.kind === 'max' ? 'hidden' : ''} children={<FieldName name={filter.field} />} />
                  {WORDS[filter.kind]}
                </span>
                <FilterInput
                  {...{ filter, value: query[filter.name] ?? '' }}
                  onSet={(value) => onChange((current) => setFilter(collection, current, filter, value))}
                />
              </label>
            ))}
          </div>
        ))}
        {isActive(collection.filters) && (
          <Button class="link" onClick={() => onChange(({ sort }) => (sort === undefined ? {} : { sort }))}>
            Clear filters
          </Button>
        )}
      </div>
    </details>
  );
}

interface InputProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

function FilterInput({ filter: { type, kind, choices }, value, onSet }: InputProps) {
  const shown = type === 'time' ? localTime(value).slice(0, 10) : value;
  const [typed, setTyped] = useState(shown);
  const settled = useSettled(typed, TYPING_MS);
  const set = (next: string): void => {
    const wanted = type === 'time' && next !== '' ? utcDay(next, kind === 'max') : next;
    if (next !== shown) onSet(wanted);
  };
  useEffect(() => setTyped(shown), [shown]);
  useEffect(() => set(settled), [settled]);
  const input = { value: typed, onInput: ({ currentTarget }: InputEvent) => setTyped(currentTarget.value) };
  // Applies a choice or Enter immediately. A date waits, because its year is typed digit by digit.
  const onChange = ({ currentTarget }: InputEvent): void => set(currentTarget.value);
  if (type === 'choice')
    return <select {...{ ...input, onChange }} children={<Options choices={choices} none="any" />} />;
  if (type === 'time') return <input {...input} type="date" class={typed === '' ? 'blank' : ''} max="9999-12-31" />;
  const form = type === 'number' ? ({ class: 'short', inputMode: 'decimal' } as const) : {};
  return (
    <input {...{ ...input, ...EXACT, ...form, onChange, type: 'text' }} placeholder={kind === 'equal' ? 'any' : ''} />
  );
}
