import { specified } from './specified.js';
import { expectJson, expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { idOf } from '../pages/walk.js';
import { fieldsOf, header } from '../service/exchange.js';

/** SPEC §4: the success cases of the table of endpoints. */
export const section4Endpoints = specified(['items.write'], {
  '4.create.status': {
    sentence: 'Creating answers 201 Created.',
    needs: [],
    run: async ({ items, service }) =>
      expectStatus(await service.send({ method: 'POST', path: '/items', body: items.content() }), 201),
  },
  '4.create.item': {
    level: 'may',
    sentence: '201 Created, usually with the new item including its assigned `id`.',
    run: async ({ items }) => {
      const { created, content } = await items.create();
      const { name } = fieldsOf(created.json);
      expectThat(idOf(created.json) !== '' && name === content['name'], created, 'the new item');
    },
  },
  '4.get.status': {
    sentence: 'GET `/items/{id}` answers 200.',
    run: async ({ items, service }) => expectStatus(await service.get((await items.create()).path), 200),
  },
  '4.get.item': {
    sentence: 'GET `/items/{id}` answers 200 with the item.',
    run: async ({ items, service }) => {
      const [item] = [await items.create(), await items.create()];
      const shown = await service.get(item.path);
      if (shown.status >= 300) throw new NotApplicable('the item is not shown');
      expectJson(shown);
      const { name } = fieldsOf(shown.json);
      const expected = `the item ${item.id} with the name it was created with`;
      expectThat(idOf(shown.json) === item.id && name === item.content['name'], shown, expected);
    },
  },
  '4.replace.status': {
    sentence: 'PUT `/items/{id}` answers 200 (updates answer 200).',
    run: async ({ items }) => expectStatus(await items.replace(await items.create()), 200),
  },
  '4.replace.item': {
    sentence: 'PUT `/items/{id}` answers 200 (updates answer 200) with the item.',
    run: async ({ items, word }) => {
      const item = await items.create();
      const name = word('replaced');
      const replaced = await items.replace(item, { name });
      if (replaced.status !== 200) throw new NotApplicable('a replacement does not answer 200');
      expectJson(replaced);
      const shown = fieldsOf(replaced.json)['name'];
      expectThat(idOf(replaced.json) === item.id && shown === name, replaced, `the item ${item.id} named ${name}`);
    },
  },
  '4.replace.stored': {
    sentence: "PUT's payload is a JSON object with the item's replacement content: it is stored.",
    run: async ({ items, service, word }) => {
      const item = await items.create();
      const name = word('replaced');
      if ((await items.replace(item, { name })).status >= 300) throw new NotApplicable('a replacement is refused');
      const shown = await service.get(item.path);
      expectThat(fieldsOf(shown.json)['name'] === name, shown, `the item ${item.id} named ${name}`);
    },
  },
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
      expectThat(fieldsOf(shown.json)[field] !== before, shown, `no \`${field}\` any more`);
    },
  },
  '4.delete.status': {
    sentence: 'Deleting answers 204.',
    run: async ({ items }) => expectStatus(await items.delete(await items.create()), 204),
  },
  '4.delete.empty': {
    sentence: 'Deleting answers 204 with an empty body; an empty body is success.',
    run: async ({ items }) => {
      const deleted = await items.delete(await items.create());
      const length = header(deleted, 'content-length') ?? '0';
      const isEmpty = deleted.text === '' && length === '0' && header(deleted, 'transfer-encoding') === undefined;
      expectThat(deleted.status >= 400 || isEmpty, deleted, '204 with an empty body');
    },
  },
  '4.delete.gone': {
    sentence: 'DELETE `/items/{id}` deletes: the item is unknown from then on.',
    run: async ({ items, service }) => {
      const item = await items.create();
      if ((await items.delete(item)).status >= 400) throw new NotApplicable('deleting is refused');
      const shown = await service.get(item.path);
      expectThat(shown.status >= 400, shown, '404');
    },
  },
  '4.delete.one': {
    sentence: 'DELETE `/items/{id}` deletes that item and no other.',
    run: async ({ items, service }) => {
      const [before, item, after] = [await items.create(), await items.create(), await items.create()];
      await items.delete(item);
      for (const { path } of [before, after]) expectStatus(await service.get(path), 200);
    },
  },
  '4.replace.one': {
    sentence: 'PUT `/items/{id}` replaces that item and no other.',
    run: async ({ items, service }) => {
      const [other, item] = [await items.create(), await items.create()];
      await items.replace(item);
      const shown = await service.get(other.path);
      expectThat(fieldsOf(shown.json)['name'] === other.content['name'], shown, `the item ${other.id} as it was`);
    },
  },
});
