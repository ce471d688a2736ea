import { type CheckContext } from '../context.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { createUser, type OwnUser } from '../lists/own-users.js';
import { type OwnItem } from '../lists/own-items.js';
import { assignedId } from '../service/created.js';
import { type Exchange, fieldsOf } from '../service/exchange.js';
import { decided } from './specified.js';

interface Placed {
  readonly user: OwnUser;
  readonly item: OwnItem;
  readonly path: string;
  readonly created: Exchange;
}

export const decidedOrders = decided(['items.write', 'users'], {
  '3.order.pending': {
    sentence: 'An order is `pending` → `confirmed` → `shipped` → `delivered`: it begins `pending`.',
    run: async (context) => {
      const { created } = await place(context);
      expectStatus(created, 201);
      expectThat(fieldsOf(created.json)['status'] === 'pending', created, '`status`: pending');
    },
  },
  '3.order.captured': {
    sentence:
      "Placing an order captures each item's name and price: a later price change or deletion leaves it as it was.",
    run: async (context) => {
      const { created, item, path } = await place(context);
      await context.items.replace(item, { price: 99 });
      await context.items.delete(item);
      const shown = await context.service.get(path);
      const { total, lines } = fieldsOf(shown.json);
      const [line] = Array.isArray(lines) ? (lines as unknown[]) : [];
      const { unit_price: price, name } = fieldsOf(line);
      const same = total === 25 && price === 12.5 && name === item.content['name'];
      expectThat(created.status === 201 && same, shown, 'the name and 12.5 of the day, `total`: 25');
    },
  },
  '3.order.unpriced': {
    sentence: 'An item without a price cannot be ordered (422 naming the line).',
    run: async (context) => {
      const { service, items } = context;
      const user = await userOf(context);
      const item = await items.create();
      const body = { lines: [{ item_id: item.id, quantity: 1 }] };
      const answer = await service.send({ method: 'POST', path: `/users/${user.id}/orders`, body });
      expectStatus(answer, 422);
      expectThat(answer.text.includes('lines'), answer, '422 that names the line');
    },
  },
  '3.transition.made': {
    sentence: 'A transition is made by POST `…/transitions` `{"to": "confirmed"}` → 201 `{id, from, to, created_at}`.',
    run: async (context) => {
      const { path } = await place(context);
      const made = await transition(context, path, 'confirmed');
      expectStatus(made, 201);
      const { id, from, to, created_at: at } = fieldsOf(made.json);
      expectThat(
        from === 'pending' && to === 'confirmed' && Boolean(id) && Boolean(at),
        made,
        'from pending to confirmed',
      );
      const shown = await context.service.get(path);
      expectThat(fieldsOf(shown.json)['status'] === 'confirmed', shown, '`status`: confirmed');
    },
  },
  '3.transition.listed': {
    sentence: '`GET …/transitions` lists them (no entry for the creation).',
    run: async (context) => {
      const { path } = await place(context);
      await transition(context, path, 'confirmed');
      const list = await context.service.get(`${path}/transitions`);
      const { transitions } = fieldsOf(list.json);
      expectThat(Array.isArray(transitions) && transitions.length === 1, list, 'one of `transitions`');
    },
  },
  '3.transition.illegal': {
    sentence: 'An illegal transition is 409 and says what is allowed.',
    run: async (context) => {
      const { path } = await place(context);
      const answer = await transition(context, path, 'delivered');
      expectStatus(answer, 409);
      expectThat(/confirmed/.test(answer.text), answer, '409 that names confirmed and cancelled');
    },
  },
  '3.transition.owner': {
    sentence: "The order's owner may confirm and cancel.",
    run: async (context) => {
      const { path, user } = await place(context);
      expectStatus(await user.ask({ method: 'POST', path: `${path}/transitions`, body: { to: 'confirmed' } }), 201);
      expectStatus(await user.ask({ method: 'POST', path: `${path}/transitions`, body: { to: 'cancelled' } }), 201);
    },
  },
  '3.transition.staff': {
    sentence: 'Shipping and delivering is for staff: `admin`, else 403 (judged before 409).',
    run: async (context) => {
      const { path, user } = await place(context);
      for (const to of ['shipped', 'delivered']) {
        expectStatus(await user.ask({ method: 'POST', path: `${path}/transitions`, body: { to } }), 403);
      }
      for (const to of ['confirmed', 'shipped', 'delivered']) expectStatus(await transition(context, path, to), 201);
    },
  },
  '3.orders.of-others': {
    sentence: "Another user's resources: 403 unless `admin`.",
    run: async (context) => {
      const { path } = await place(context);
      const other = await createUser(context, 'member');
      expectStatus(await other.ask({ path }), 403);
    },
  },
  '3.orders.everybody': {
    sentence: "`GET /orders` lists everybody's for `admin` with `orders:read` (others 403).",
    run: async (context) => {
      const { created, user } = await place(context);
      const list = await context.service.get(`/orders?user_id=${user.id}&status=pending`);
      expectStatus(list, 200);
      expectThat(
        list.text.includes(assignedId(created) ?? ' '),
        list,
        `the order ${assignedId(created) ?? ''} in \`orders\``,
      );
      expectStatus(await user.ask({ path: '/orders' }), 403);
    },
  },
  '3.orders.read-only': {
    sentence: '`GET /orders` is read only (POST is 405).',
    run: async ({ service }) => expectStatus(await service.send({ method: 'POST', path: '/orders', body: {} }), 405),
  },
});

/** All orders of the run belong to one user. */
function userOf(context: CheckContext): Promise<OwnUser> {
  return context.once('user of orders', () => createUser(context, 'member'));
}

async function place(context: CheckContext): Promise<Placed> {
  const user = await userOf(context);
  const item = await context.items.create({ price: 12.5 });
  const collection = `/users/${user.id}/orders`;
  const body = { lines: [{ item_id: item.id, quantity: 2 }] };
  const created = await context.service.send({ method: 'POST', path: collection, body });
  const id = assignedId(created);
  if (id === undefined)
    throw new NotApplicable(`no order could be placed (POST ${collection} answers ${created.status})`);
  return { user, item, created, path: `${collection}/${id}` };
}

function transition({ service }: CheckContext, path: string, to: string): Promise<Exchange> {
  return service.send({ method: 'POST', path: `${path}/transitions`, body: { to } });
}
