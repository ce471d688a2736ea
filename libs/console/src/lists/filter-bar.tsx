import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { Collection, Filter } from '../document/collection.js';
import { choiceText } from '../forms/controls.js';
import { FieldName } from '../parts/field-name.js';
import { Icon } from '../parts/icon.js';
import { localTime, utcDay } from '../parts/format.js';
import { setFilter, type ListQuery } from './list-query.js';

interface Props {
  readonly collection: Collection;
  readonly query: ListQuery;
  /** @param change gets the query of that moment: two filters may be typed one after the other. */
  readonly onChange: (change: (query: ListQuery) => ListQuery) => void;
}

/** Wait after the last key before a list is loaded. */
const TYPING_MS = 400;
/** A phone opens the filters by a button. */
const isWide = (): boolean => matchMedia('(min-width: 48rem)').matches;
/** Number of chips that a wide screen always shows. */
const MAX_CHIPS = 6;

/** The filters and ranges of a list, as chips. */
export function FilterBar({ collection, query, onChange }: Props): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  const groups = Object.values(Object.groupBy(collection.filters, ({ field, kind }) => `${field} ${kind === 'equal'}`));
  if (groups.length === 0) return null;
  const isActive = (filters: readonly Filter[] = []): boolean => filters.some(({ name }) => query[name] !== undefined);
  const room = isWide() ? MAX_CHIPS : 0;
  const shown = groups.filter((filters, index) => isOpen || index < room || isActive(filters));
  const isFiltered = collection.filters.some(({ name }) => query[name] !== undefined);
  return (
    <div class="filters">
      <button
        type="button"
        class={groups.length > room ? 'filter-toggle' : 'filter-toggle gone'}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" /> {room === 0 ? 'Filters' : isOpen ? 'Fewer filters' : 'More filters'}
      </button>
      {shown.map((filters = []) => (
        <Chip
          key={filters[0]?.name}
          filters={filters}
          query={query}
          onSet={(filter, value) => onChange((current) => setFilter(collection, current, filter, value))}
        />
      ))}
      {isFiltered && (
        <button type="button" class="link" onClick={() => onChange(({ sort }) => (sort === undefined ? {} : { sort }))}>
          Clear filters
        </button>
      )}
    </div>
  );
}

interface ChipProps {
  readonly filters: readonly Filter[];
  readonly query: ListQuery;
  readonly onSet: (filter: Filter, value: string) => void;
}

/** One filter, or the two ends of a range. */
function Chip({ filters, query, onSet }: ChipProps): JSX.Element {
  const isActive = filters.some(({ name }) => query[name] !== undefined);
  return (
    <div class={isActive ? 'chip active' : 'chip'}>
      {filters.map((filter) => (
        <label key={filter.name}>
          <Label filter={filter} />
          {filter.type === 'choice' ? (
            <select
              value={query[filter.name] ?? ''}
              onChange={({ currentTarget }) => onSet(filter, currentTarget.value)}
            >
              <option value="">any</option>
              {filter.choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choiceText(choice, filter.choices.join() === 'true,false')}
                </option>
              ))}
            </select>
          ) : (
            <TypedFilter filter={filter} value={query[filter.name] ?? ''} onSet={(value) => onSet(filter, value)} />
          )}
        </label>
      ))}
    </div>
  );
}

/** The second end of a range repeats the name of the field for screen readers alone. */
function Label({ filter: { field, kind } }: { readonly filter: Filter }): JSX.Element {
  if (kind === 'equal') return <FieldName name={field} />;
  const words = { min: ' from', max: ' to', prefix: ' begins with' }[kind];
  return (
    <span>
      <span class={kind === 'max' ? 'hidden' : ''}>
        <FieldName name={field} />
      </span>
      {words}
    </span>
  );
}

interface TypedProps {
  readonly filter: Filter;
  readonly value: string;
  readonly onSet: (value: string) => void;
}

function TypedFilter({ filter, value, onSet }: TypedProps): JSX.Element {
  const isTime = filter.type === 'time';
  const shown = isTime ? localTime(value).slice(0, 10) : value;
  const [typed, setTyped] = useState(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(shown), [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (next: string): void => {
    clearTimeout(timer.current);
    const wanted = isTime && next !== '' ? utcDay(next, filter.kind === 'max') : next;
    if (wanted !== value) onSet(wanted);
  };
  const shared = {
    value: typed,
    onInput: ({ currentTarget: { value: next } }: { readonly currentTarget: { readonly value: string } }): void => {
      setTyped(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => commit(next), TYPING_MS);
    },
    onKeyDown: ({ key }: { readonly key: string }): void => {
      if (key === 'Enter') commit(typed);
    },
  };
  if (isTime) return <input {...shared} type="date" class={typed === '' ? 'blank' : ''} max="9999-12-31" />;
  const isNumber = filter.type === 'number';
  return (
    <input
      {...shared}
      type="text"
      class={isNumber ? 'short' : ''}
      inputMode={isNumber ? 'decimal' : 'text'}
      autocapitalize="none"
      autocomplete="off"
      spellcheck={false}
      placeholder={filter.kind === 'equal' ? 'any' : ''}
    />
  );
}
