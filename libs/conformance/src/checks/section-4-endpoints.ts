import { answers, ofItem, specified } from './specified.js';
import { expectJson, expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { idOf } from '../pages/walk.js';
import { fieldOf, header, post } from '../service/exchange.js';

/** Seed specification §4: the success cases of the table of endpoints. */
export const section4Endpoints = specified(['items.write'], {
  '4.create.status': {
    ...answers(201, 'Creating answers 201 Created.', ({ items }) => post('/items', items.content())),
    needs: [],
  },
  '4.create.item': {
    level: 'may',
    sentence: '201 Created, usually with the new item including its assigned `id`.',
    run: async ({ items }) => {
      const { created, content } = await items.create();
      const isItem = idOf(created.json) !== '' && fieldOf(created, 'name') === content['name'];
      expectThat(isItem, created, 'the new item');
    },
  },
  '4.get.status': ofItem('GET `/items/{id}` answers 200.', async ({ path }, { service }) => {
    expectStatus(await service.get(path), 200);
  }),
  '4.get.item': ofItem('GET `/items/{id}` answers 200 with the item.', async (item, { items, service }) => {
    await items.create();
    const shown = await service.get(item.path);
    if (shown.status >= 300) throw new NotApplicable('the item is not shown');
    expectJson(shown);
    const isItem = idOf(shown.json) === item.id && fieldOf(shown, 'name') === item.content['name'];
    expectThat(isItem, shown, `the item ${item.id} with the name it was created with`);
  }),
  '4.replace.status': ofItem('PUT `/items/{id}` answers 200 (updates answer 200).', async (item, { items }) => {
    expectStatus(await items.replace(item), 200);
  }),
  '4.replace.item': ofItem(
    'PUT `/items/{id}` answers 200 (updates answer 200) with the item.',
    async (item, { items, word }) => {
      const name = word('replaced');
      const replaced = await items.replace(item, { name });
      if (replaced.status !== 200) throw new NotApplicable('a replacement does not answer 200');
      expectJson(replaced);
      const isItem = idOf(replaced.json) === item.id && fieldOf(replaced, 'name') === name;
      expectThat(isItem, replaced, `the item ${item.id} named ${name}`);
    },
  ),
  '4.replace.stored': ofItem(
    "PUT's payload is a JSON object with the item's replacement content: it is stored.",
    async (item, { items, service, word }) => {
      const name = word('replaced');
      if ((await items.replace(item, { name })).status >= 300) throw new NotApplicable('a replacement is refused');
      const shown = await service.get(item.path);
      expectThat(fieldOf(shown, 'name') === name, shown, `the item ${item.id} named ${name}`);
    },
  ),
  '4.replace.whole': {
    sentence: "PUT's payload is the item's replacement content: what it leaves out is not kept from before.",
    run: async ({ items, service, found }) => {
      const content = items.content();
      const known = [
        { need: 'color', field: found.filterField, before: found.colors[0] },
        { need: 'price', field: found.sortField, before: found.sortValue(12) },
      ] as const;
      const other = known.find(({ need, field }) => found.has(need) && !(field in content));
      if (other === undefined) throw new NotApplicable('no field is known that may be left out');
      const { field, before } = other;
      const item = await items.create({ [field]: before });
      if ((await items.replace(item)).status >= 300)
        throw new NotApplicable('a replacement by `name` alone is refused');
      const shown = await service.get(item.path);
      expectThat(fieldOf(shown, field) !== before, shown, `no \`${field}\` any more`);
    },
  },
  '4.delete.status': ofItem('Deleting answers 204.', async (item, { items }) => {
    expectStatus(await items.delete(item), 204);
  }),
  '4.delete.empty': ofItem(
    'Deleting answers 204 with an empty body; an empty body is success.',
    async (item, { items }) => {
      const deleted = await items.delete(item);
      const length = header(deleted, 'content-length') ?? '0';
      const isEmpty = deleted.text === '' && length === '0' && header(deleted, 'transfer-encoding') === undefined;
      expectThat(deleted.status >= 400 || isEmpty, deleted, '204 with an empty body');
    },
  ),
  '4.delete.gone': ofItem(
    'DELETE `/items/{id}` deletes: the item is unknown from then on.',
    async (item, { items, service }) => {
      if ((await items.delete(item)).status >= 400) throw new NotApplicable('deleting is refused');
      const shown = await service.get(item.path);
      expectThat(shown.status >= 400, shown, '404');
    },
  ),
  '4.delete.one': ofItem('DELETE `/items/{id}` deletes that item and no other.', async (before, { items, service }) => {
    const [item, after] = [await items.create(), await items.create()];
    await items.delete(item);
    for (const { path } of [before, after]) expectStatus(await service.get(path), 200);
  }),
  '4.replace.one': ofItem('PUT `/items/{id}` replaces that item and no other.', async (other, { items, service }) => {
    await items.replace(await items.create());
    const shown = await service.get(other.path);
    expectThat(fieldOf(shown, 'name') === other.content['name'], shown, `the item ${other.id} as it was`);
  }),
});
