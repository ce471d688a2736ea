import { type CheckContext } from '../check.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { createUser, type OwnUser } from '../lists/own-users.js';
import { type OwnItem } from '../lists/own-items.js';
import { assignedId } from '../service/created.js';
import { type CheckRequest, type Exchange, fieldOf, fieldsOf, post } from '../service/exchange.js';
import { about, answers, decided } from './specified.js';

interface Placed {
  readonly user: OwnUser;
  readonly item: OwnItem;
  readonly id: string;
  readonly path: string;
  readonly created: Exchange;
}

const ofOrder = about(['items.write', 'users'], place);

export const decidedOrders = decided(['items.write', 'users'], {
  '3.order.pending': ofOrder(
    'An order is `pending` → `confirmed` → `shipped` → `delivered`: a new order is `pending`.',
    async ({ created }) => {
      expectStatus(created, 201);
      expectThat(fieldOf(created, 'status') === 'pending', created, '`status`: pending');
    },
  ),
  '3.order.captured': ofOrder(
    "Placing an order captures each item's name and price: a later price change or deletion does not change the order.",
    async ({ created, item, path }, { items, service }) => {
      await items.replace(item, { price: 99 });
      await items.delete(item);
      const shown = await service.get(path);
      const { total, lines } = fieldsOf(shown.json);
      const [line] = Array.isArray(lines) ? (lines as unknown[]) : [];
      const { unit_price: price, name } = fieldsOf(line);
      const same = total === 25 && price === 12.5 && name === item.content['name'];
      expectThat(
        created.status === 201 && same,
        shown,
        'the name and the price (12.5) at the time of the order, `total`: 25',
      );
    },
  ),
  '3.order.unpriced': {
    sentence: 'An item without a price cannot be ordered (422 that names the line).',
    run: async (context) => {
      const user = await userOf(context);
      const item = await context.items.create();
      const body = { lines: [{ item_id: item.id, quantity: 1 }] };
      const answer = await context.service.send(post(`/users/${user.id}/orders`, body));
      expectStatus(answer, 422);
      expectThat(answer.text.includes('lines'), answer, '422 that names the line');
    },
  },
  '3.transition.made': ofOrder(
    'A transition is made by POST `…/transitions` `{"to": "confirmed"}` → 201 `{id, from, to, created_at}`.',
    async ({ path }, { service }) => {
      const made = await service.send(transition(path, 'confirmed'));
      expectStatus(made, 201);
      const { id, from, to, created_at: at } = fieldsOf(made.json);
      const isWhole = from === 'pending' && to === 'confirmed' && Boolean(id) && Boolean(at);
      expectThat(isWhole, made, 'from pending to confirmed');
      const shown = await service.get(path);
      expectThat(fieldOf(shown, 'status') === 'confirmed', shown, '`status`: confirmed');
    },
  ),
  '3.transition.listed': ofOrder(
    '`GET …/transitions` lists the transitions (no entry for the creation).',
    async ({ path }, { service }) => {
      await service.send(transition(path, 'confirmed'));
      const list = await service.get(`${path}/transitions`);
      const transitions = fieldOf(list, 'transitions');
      expectThat(Array.isArray(transitions) && transitions.length === 1, list, 'one entry in `transitions`');
    },
  ),
  '3.transition.illegal': ofOrder(
    'An illegal transition is 409 and lists the allowed ones.',
    async ({ path }, { service }) => {
      const answer = await service.send(transition(path, 'delivered'));
      expectStatus(answer, 409);
      expectThat(/confirmed/.test(answer.text), answer, '409 that names confirmed and cancelled');
    },
  ),
  '3.transition.owner': ofOrder("The order's owner may confirm and cancel.", async ({ path, user }) => {
    for (const to of ['confirmed', 'cancelled']) expectStatus(await user.ask(transition(path, to)), 201);
  }),
  '3.transition.staff': ofOrder(
    'Only staff (`admin`) may ship and deliver: 403 for other users, before 409.',
    async ({ path, user }, { service }) => {
      for (const to of ['shipped', 'delivered']) expectStatus(await user.ask(transition(path, to)), 403);
      for (const to of ['confirmed', 'shipped', 'delivered']) {
        expectStatus(await service.send(transition(path, to)), 201);
      }
    },
  ),
  '3.orders.of-others': ofOrder("Another user's resources: 403 unless `admin`.", async ({ path }, context) => {
    const other = await createUser(context, 'member');
    expectStatus(await other.ask({ path }), 403);
  }),
  '3.orders.everybody': ofOrder(
    '`GET /orders` lists the orders of all users for `admin` with `orders:read`: 403 for other users.',
    async ({ id, user }, { service }) => {
      const list = await service.get(`/orders?user_id=${user.id}&status=pending`);
      expectStatus(list, 200);
      expectThat(list.text.includes(id), list, `the order ${id} in \`orders\``);
      expectStatus(await user.ask({ path: '/orders' }), 403);
    },
  ),
  '3.orders.read-only': answers(405, '`GET /orders` is read only (POST is 405).', post('/orders', {})),
});

function userOf(context: CheckContext): Promise<OwnUser> {
  return context.once('user of orders', () => createUser(context, 'member'));
}

async function place(context: CheckContext): Promise<Placed> {
  const user = await userOf(context);
  const item = await context.items.create({ price: 12.5 });
  const collection = `/users/${user.id}/orders`;
  const created = await context.service.send(post(collection, { lines: [{ item_id: item.id, quantity: 2 }] }));
  const id = assignedId(created);
  if (id === undefined)
    throw new NotApplicable(`no order could be placed (POST ${collection} returns ${created.status})`);
  return { id, user, item, created, path: `${collection}/${id}` };
}

function transition(path: string, to: string): CheckRequest {
  return post(`${path}/transitions`, { to });
}
