import { ofItem, specified } from './specified.js';
import { expectJson, expectStatus, expectThat, NotApplicable, Unmet } from '../verdict.js';
import { idOf } from '../pages/walk.js';
import { assignedId } from '../service/created.js';
import { fieldOf, fieldsOf, post } from '../service/exchange.js';

export const section2 = specified(['items.write'], {
  '2.id.assigned': ofItem(
    '`id` is assigned by the service when the item is created, and returned with the created object.',
    async ({ created }) => {
      if (created.text === '') return;
      expectJson(created);
      const actual = `\`id\`: ${JSON.stringify(fieldOf(created, 'id'))}`;
      expectThat(idOf(created.json) !== '', created, 'an `id`, a string or a number', actual);
    },
  ),
  '2.id.unique': {
    sentence: '`id` identifies one item: two items never share it.',
    run: async ({ items }) => {
      const own = [await items.create(), await items.create()];
      own.push(...(await Promise.all([items.create(), items.create(), items.create()])));
      const again = own.find(({ id }, index) => own.findIndex((one) => one.id === id) !== index);
      if (again) throw new Unmet(again.created, `an id other than ${again.id}, which another item has`);
    },
  },
  '2.id.output-only': {
    sentence: '`id` is output only: a create request does not choose it.',
    run: async ({ items, service, word }) => {
      for (const id of [word('chosen'), 987_654_321]) {
        const created = await service.send(post('/items', { ...items.content(), id }));
        if (created.status < 300) expectThat(assignedId(created) !== String(id), created, "an id of the service's own");
      }
    },
  },
  '2.id.kept': ofItem(
    '`id` is output only: a replacement does not change it.',
    async (item, { items, service, word }) => {
      const replaced = await items.replace(item, { id: word('chosen') });
      if (replaced.status >= 300) return;
      const after = await service.get(item.path);
      expectStatus(after, 200);
      expectThat(idOf(after.json) === item.id, after, `\`id\` ${item.id} as before`);
    },
  ),
  '2.name.kept': {
    sentence: '`name` is a string, and stays as it was sent.',
    needs: ['items.write', 'name.text'],
    run: async ({ items, service, word }) => {
      const item = await items.create({ name: `${word('conformance')} Größe 漢字 "quoted"` });
      const shown = await service.get(item.path);
      const wanted = item.content['name'];
      expectThat(fieldOf(shown, 'name') === wanted, shown, `\`name\` ${JSON.stringify(wanted)}`);
    },
  },
  '2.name.string': {
    sentence: '`name` is a string: another JSON value in its place is not stored as one.',
    needs: ['items.write', 'name.text'],
    run: async ({ items, service }) => {
      const expected = '422, or a `name` that is a string';
      for (const name of [42, null, true, ['a'], { a: 1 }]) {
        const answer = await service.send(post('/items', { ...items.content(), name }));
        if (answer.status >= 400 && answer.status < 500) continue;
        expectThat(answer.status < 300, answer, expected);
        const id = assignedId(answer);
        const shown = id === undefined ? answer : await service.get(`/items/${encodeURIComponent(id)}`);
        expectThat(typeof fieldOf(shown, 'name') === 'string', shown, expected);
      }
    },
  },
  '2.collections.plural': {
    sentence: 'Collection names are plural nouns (`/items`, `/users`), never singular and never verbs.',
    needs: [],
    run: async ({ service }) => {
      for (const path of otherNames(service.translation.naming.collection)) {
        const answer = await service.get(path);
        expectThat(answer.status >= 300, answer, '404');
      }
    },
  },
  '2.orders.nested': {
    sentence: "Hierarchy is expressed in the path: `/users/{user_id}/orders` is a user's orders.",
    needs: ['orders'],
    run: async ({ service, found }) => {
      const orders = await service.get(found.ordersPath);
      if (orders.status !== 200) throw new NotApplicable(`GET ${found.ordersPath} answers ${orders.status}`);
      const lists = Object.values(fieldsOf(orders.json)).filter((value) => Array.isArray(value));
      expectThat(lists.length > 0, orders, 'a JSON object that holds the list');
    },
  },
});

/** Names that a collection must not have: `/item`, `/getItems`. */
function otherNames(collection: string): string[] {
  const slash = collection.lastIndexOf('/');
  const [parent, name] = [collection.slice(0, slash + 1), collection.slice(slash + 1)];
  if (!name.endsWith('s')) throw new NotApplicable('the singular of its name is not known');
  return [`${parent}${name.slice(0, -1)}`, `${parent}get${name.charAt(0).toUpperCase()}${name.slice(1)}`];
}
