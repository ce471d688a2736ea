import { specified } from './specified.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { fieldsOf } from '../service/exchange.js';
import { malformedJson, unknownItem } from './error-answers.js';

export const section4Rules = specified(['items.write'], {
  '4.method.collection': {
    sentence: 'A method not supported on a URL answers 405: PATCH on `/items`.',
    needs: [],
    run: async ({ service }) => expectStatus(await service.send({ method: 'PATCH', path: '/items', body: {} }), 405),
  },
  '4.method.item': {
    sentence: 'A method not supported on a URL answers 405: POST on `/items/{id}`.',
    run: async ({ items, service }) => {
      const { path } = await items.create();
      expectStatus(await service.send({ method: 'POST', path, body: items.content() }), 405);
    },
  },
  '4.unknown.get': {
    sentence: 'An unknown id answers 404 on GET.',
    run: async (context) => expectStatus(await context.service.get(await unknownItem(context)), 404),
  },
  '4.unknown.form': {
    sentence: 'An unknown id answers 404, and one that cannot be an id is refused as well.',
    needs: [],
    run: async ({ service }) => {
      for (const id of ['no-such-item', '999999999', '00000000-0000-4000-8000-000000000000']) {
        // The specification does not say whether this id is unknown or malformed.
        expectStatus(await service.get(`/items/${id}`), 404, 400, 422);
      }
    },
  },
  '4.unknown.put': {
    sentence: 'An unknown id answers 404 on PUT.',
    run: async (context) => {
      const { items } = context;
      expectStatus(await items.replace({ path: await unknownItem(context) }), 404);
    },
  },
  '4.unknown.put-creates-nothing': {
    sentence: 'An unknown id answers 404, also after a PUT to it: `id` is assigned by the service.',
    run: async ({ items, service }) => {
      const item = await items.create();
      await items.delete(item);
      if ((await service.get(item.path)).status === 200) throw new NotApplicable('deleting does not delete');
      await items.replace(item);
      const shown = await service.get(item.path);
      expectThat(shown.status >= 400, shown, '404');
    },
  },
  '4.unknown.delete': {
    sentence: 'An unknown id answers 404 on DELETE.',
    run: async ({ items, service }) => {
      const item = await items.create();
      await items.delete(item);
      if ((await service.get(item.path)).status === 200) throw new NotApplicable('deleting does not delete');
      expectStatus(await items.delete(item), 404);
    },
  },
  '4.create.without-name': {
    sentence: 'A create request missing `name` answers 422.',
    run: async ({ service, items }) => {
      const { name: _, ...rest } = items.content();
      expectStatus(await service.send({ method: 'POST', path: '/items', body: rest }), 422);
    },
  },
  '7.status.invalid-replace': {
    sentence: '422 Unprocessable: valid JSON, invalid content, on PUT as well.',
    run: async ({ items, service }) => {
      const { path } = await items.create();
      for (const name of [42, undefined]) {
        const answer = await service.send({ method: 'PUT', path, body: { ...items.content(), name } });
        // The specification does not say which fields a replacement needs.
        expectThat(answer.status < 300 || answer.status === 422, answer, '422, or 200 where it is taken');
      }
    },
  },
  '4.create.no-object': {
    sentence: 'A create request is a JSON object with at least `name` (string): an array is none.',
    run: async ({ service }) =>
      expectStatus(await service.send({ method: 'POST', path: '/items', body: [] }), 400, 422),
  },
  '2.name.named': {
    sentence: 'A create request without `name` is rejected with 422 and an error message that names the field.',
    run: async ({ service, items }) => {
      const { name: _, ...rest } = items.content();
      const field = service.words.theirs('name').split('.').at(-1) ?? '';
      const answer = await service.send({ method: 'POST', path: '/items', body: rest });
      const { error } = fieldsOf(answer.json);
      if (answer.status < 400 || typeof error !== 'string') throw new NotApplicable('there is no error message');
      expectThat(
        error.toLowerCase().includes(field.toLowerCase()),
        answer,
        `an \`error\` message with the word ${field}`,
      );
    },
  },
  '4.malformed.create': {
    sentence: 'A malformed JSON body answers 400.',
    run: async ({ service }) => {
      for (const raw of [malformedJson, "{name: 'single quotes'}", 'name=form']) {
        expectStatus(await service.send({ method: 'POST', path: '/items', raw }), 400);
      }
    },
  },
  '4.malformed.replace': {
    sentence: 'A malformed JSON body answers 400, on PUT as well.',
    run: async ({ service, items }) => {
      const { path } = await items.create();
      expectStatus(await service.send({ method: 'PUT', path, raw: malformedJson }), 400);
    },
  },
});
