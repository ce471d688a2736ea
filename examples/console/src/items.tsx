import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { ValidationError, type Item, type ItemFilters } from '@items/client';
import { infiniteQueryOptions, keysOf } from '@items/client/react-query';

import { useConsole } from './context';
import { EndlessList } from './endless-list';
import { EXACT } from './form';
import { ItemEditor } from './item-editor';
import { RangeFields, SORTS, type Range } from './range-fields';

export function ItemsView() {
  const { client, say } = useConsole();
  const queries = useQueryClient();
  const [sort, setSort] = useState('name');
  const [color, setColor] = useState('');
  const [range, setRange] = useState<Range>({});
  const [edited, setEdited] = useState<string | undefined>();
  const query = useDeferredValue({ sort, ...(color.trim() !== '' && { color: color.trim() }), ...range });
  const order = useMutation({
    mutationFn: (item: Item) => client.orders('me').create({ lines: [{ item_id: item.id, quantity: 1 }] }),
    onSuccess: (_, item) => {
      say(`You have ordered one ${item.name}.`);
      void queries.invalidateQueries({ queryKey: keysOf('orders').all });
    },
    onError: (error, item) => {
      const isGone = error instanceof ValidationError;
      say(isGone ? new Error(`${item.name} cannot be ordered: somebody has deleted it, or its price.`) : error);
      if (isGone) void queries.invalidateQueries({ queryKey: keysOf('items').lists });
    },
  });

  return (
    <>
      <div className="toolbar">
        <button className="primary" onClick={() => setEdited('')}>
          New item
        </button>
        <label>
          Sort{' '}
          <select
            value={sort}
            onChange={(event) => {
              setSort(event.target.value);
              setRange({});
            }}
          >
            {Object.entries(SORTS).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Color <input {...EXACT} value={color} onChange={(event) => setColor(event.target.value)} />
        </label>
        <RangeFields key={sort.replace('-', '')} sort={sort} onChange={setRange} />
      </div>
      <EndlessList
        label="Items"
        options={infiniteQueryOptions('items', client.items, query as ItemFilters & { readonly sort: string })}
        rowsOf={(page) => page.items}
      >
        {(item) => (
          <>
            <span className="what">
              <strong>{item.name}</strong> {item.color} {item.price?.toFixed(2)}
            </span>
            <span className="actions">
              <button onClick={() => setEdited(item.id)}>
                Edit<span className="hidden"> {item.name}</span>
              </button>
              {item.price !== null && (
                <button aria-disabled={order.isPending} onClick={() => order.isPending || order.mutate(item)}>
                  Order one<span className="hidden"> {item.name}</span>
                </button>
              )}
            </span>
          </>
        )}
      </EndlessList>
      {edited !== undefined && <ItemEditor id={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
