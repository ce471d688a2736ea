import { answers, ofItem, specified } from './specified.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { type OwnItem } from '../lists/own-items.js';
import { type CheckRequest, fieldOf, post } from '../service/exchange.js';
import { type CheckContext } from '../check.js';
import { impossibleIds, malformedJson, ofUnknownItem, unknownItem } from './error-answers.js';

export const section4Rules = specified(['items.write'], {
  '4.method.collection': {
    sentence: 'A method not supported on a URL answers 405: PATCH on `/items`.',
    needs: [],
    run: async ({ service }) => expectStatus(await service.send({ method: 'PATCH', path: '/items', body: {} }), 405),
  },
  '4.method.item': ofItem(
    'A method not supported on a URL answers 405: POST on `/items/{id}`.',
    async ({ path }, { items, service }) => expectStatus(await service.send(post(path, items.content())), 405),
  ),
  '4.unknown.get': answers(404, 'An unknown id answers 404 on GET.', ofUnknownItem()),
  '4.unknown.form': {
    sentence: 'An unknown id answers 404, and one that cannot be an id is refused as well.',
    needs: [],
    run: async ({ service }) => {
      // These ids may count as unknown (404) or as malformed (400, 422).
      for (const id of impossibleIds) expectStatus(await service.get(`/items/${id}`), 404, 400, 422);
    },
  },
  '4.unknown.put': {
    sentence: 'An unknown id answers 404 on PUT.',
    run: async (context) => {
      expectStatus(await context.items.replace({ path: await unknownItem(context) }), 404);
    },
  },
  '4.unknown.put-creates-nothing': ofItem(
    'An unknown id answers 404, also after a PUT to it: `id` is assigned by the service.',
    async (item, context) => {
      await deleteFirst(item, context);
      await context.items.replace(item);
      const shown = await context.service.get(item.path);
      expectThat(shown.status >= 400, shown, '404');
    },
  ),
  '4.unknown.delete': ofItem('An unknown id answers 404 on DELETE.', async (item, context) => {
    await deleteFirst(item, context);
    expectStatus(await context.items.delete(item), 404);
  }),
  '4.create.without-name': answers(422, 'A create request missing `name` answers 422.', withoutName),
  '7.status.invalid-replace': ofItem(
    '422 Unprocessable: valid JSON, invalid content, on PUT as well.',
    async ({ path }, { items }) => {
      for (const name of [42, undefined]) {
        const answer = await items.replace({ path }, { name });
        // A success is valid too: the seed specification does not say which fields a replacement needs.
        expectThat(answer.status < 300 || answer.status === 422, answer, '422, or 200 if it is accepted');
      }
    },
  ),
  '4.create.no-object': {
    sentence: 'A create request is a JSON object with at least `name` (string): an array is none.',
    run: async ({ service }) => expectStatus(await service.send(post('/items', [])), 400, 422),
  },
  '2.name.named': {
    sentence: 'A create request without `name` is rejected with 422 and an error message that names the field.',
    run: async (context) => {
      const field = context.service.translation.fields.theirs('name').split('.').at(-1) ?? '';
      const answer = await context.service.send(withoutName(context));
      const error = fieldOf(answer, 'error');
      if (answer.status < 400 || typeof error !== 'string') throw new NotApplicable('there is no error message');
      const isNamed = error.toLowerCase().includes(field.toLowerCase());
      expectThat(isNamed, answer, `an \`error\` message with the word ${field}`);
    },
  },
  '4.malformed.create': answers(
    400,
    'A malformed JSON body answers 400.',
    [malformedJson, "{name: 'single quotes'}", 'name=form'].map((raw) => ({ method: 'POST', path: '/items', raw })),
  ),
  '4.malformed.replace': ofItem('A malformed JSON body answers 400, on PUT as well.', async ({ path }, { service }) =>
    expectStatus(await service.send({ method: 'PUT', path, raw: malformedJson }), 400),
  ),
});

function withoutName({ items }: CheckContext): CheckRequest {
  const { name: _, ...rest } = items.content();
  return post('/items', rest);
}

/** @throws {NotApplicable} The service still shows the item. */
async function deleteFirst(item: OwnItem, { items, service }: CheckContext): Promise<void> {
  await items.delete(item);
  if ((await service.get(item.path)).status === 200) throw new NotApplicable('deleting does not delete');
}
