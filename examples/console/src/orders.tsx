import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order, OrderStatus } from '@items/client';
import { infiniteQueryOptions, keysOf } from '@items/client/react-query';
import { ORDER_STATUSES, ORDER_TRANSITIONS, STAFF_STATUSES } from '@items/dtos/contract';

import { useConsole } from './context';
import { EndlessList } from './endless-list';

const VERBS: Readonly<Record<OrderStatus, string>> = {
  pending: 'Reopen',
  confirmed: 'Confirm',
  shipped: 'Ship',
  delivered: 'Deliver',
  cancelled: 'Cancel',
};

export function OrdersView() {
  const { client, me, say } = useConsole();
  const queries = useQueryClient();
  const [isAll, setAll] = useState(false);
  const [status, setStatus] = useState<OrderStatus | ''>('');
  const query = { sort: '-created_at', ...(status !== '' && { status }) };
  const change = useMutation({
    mutationFn: ({ order, to }: { readonly order: Order; readonly to: OrderStatus }) =>
      client.orders(order.user_id).transition(order.id, to),
    onSuccess: (_, { to }) => say(`The order is ${to}.`),
    // Where someone else was faster, the list shows it.
    onError: (error) => say(error),
    onSettled: () => queries.invalidateQueries({ queryKey: keysOf('orders').all }),
  });
  const move = (order: Order, to: OrderStatus) => {
    if (change.isPending || (to === 'cancelled' && !confirm('Cancel this order? It stays cancelled.'))) return;
    change.mutate({ order, to });
  };
  const isStaff = me?.role === 'admin';
  const lists = isAll ? client.allOrders : client.orders('me');

  return (
    <>
      <div className="toolbar">
        <label>
          Status{' '}
          <select value={status} onChange={(event) => setStatus(event.target.value as OrderStatus)}>
            <option value="">all</option>
            {ORDER_STATUSES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        {isStaff && (
          <label>
            <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} /> Everybody’s
          </label>
        )}
      </div>
      <EndlessList
        label="Orders"
        options={infiniteQueryOptions(['orders', isAll ? 'all' : 'me'], lists, query)}
        rowsOf={(page) => page.orders}
      >
        {(order) => (
          <>
            <span className="what">
              <strong>{order.status}</strong> {linesText(order)},{order.total.toFixed(2)}{' '}
              <time dateTime={order.created_at}>{timeText(order.created_at)}</time>
            </span>
            <span className="actions">
              {ORDER_TRANSITIONS[order.status]
                .filter((to) => isStaff || !STAFF_STATUSES.includes(to))
                .map((to) => (
                  <button key={to} aria-disabled={change.isPending} onClick={() => move(order, to)}>
                    {VERBS[to]}
                  </button>
                ))}
            </span>
          </>
        )}
      </EndlessList>
    </>
  );
}

export function timeText(time: string): string {
  return new Date(time).toLocaleString();
}

export function linesText({ lines }: Order): string {
  return lines.map(({ quantity, name }) => `${String(quantity)} × ${name}`).join(', ');
}
