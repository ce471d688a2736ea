import type { Item } from '../right-service.testing.js';
import { instead, isItem, wrong, type WrongService } from './wrong-service.testing.js';

export const rules: readonly WrongService[] = [
  wrong(
    '4.method.collection',
    'answers PATCH on the collection with 404',
    instead(405, { status: 404 }, ({ path }) => path === '/items'),
  ),
  wrong('4.method.collection', 'treats PATCH like GET', (request, right) =>
    right(request.method === 'PATCH' ? { ...request, method: 'GET' } : request),
  ),
  wrong('4.method.item', 'answers POST on an item with 404', instead(405, { status: 404 }, isItem)),
  wrong(
    '4.unknown.get',
    'answers an unknown id with 500',
    instead(404, { status: 500 }, ({ method }) => method === 'GET'),
  ),
  wrong('4.unknown.get', 'answers an unknown id with 200 and null', instead(404, { status: 200, body: null }, isItem)),
  wrong(
    '4.unknown.form',
    'returns 500 for an id of another form',
    instead(404, { status: 500 }, ({ path }) => /\D$/.test(path)),
  ),
  wrong(
    '7.status.invalid-replace',
    'answers a replacement with invalid content by 400',
    instead(422, { status: 400 }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '7.status.invalid-replace',
    'returns 500 for a replacement with invalid content',
    instead(422, { status: 500 }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '4.unknown.put',
    'answers a replacement of an unknown item with 422',
    instead(404, { status: 422 }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '4.unknown.put-creates-nothing',
    'creates an item that a replacement does not find',
    (request, right, items) => {
      const answer = right(request);
      if (request.method !== 'PUT' || answer.status !== 404) return answer;
      const id = request.path.slice(7);
      items.set(id, { ...(JSON.parse(request.raw) as Item), id });
      return answer;
    },
  ),
  wrong(
    '4.unknown.delete',
    'answers each deletion with 204',
    instead(404, { status: 204, text: '' }, ({ method }) => method === 'DELETE'),
  ),
  wrong('4.create.without-name', 'answers a missing name with 400', instead(422, { status: 400 })),
  wrong('4.create.without-name', 'creates items without a name', (request, right) =>
    right(
      request.method === 'POST' ? { ...request, raw: request.raw.replace(/^\{\}$/, '{"name":"untitled"}') } : request,
    ),
  ),
  wrong('4.create.no-object', 'returns 500 for an array', (request, right) =>
    request.raw === '[]' ? { status: 500, body: { error: 'Something went wrong.' } } : right(request),
  ),
  wrong('2.name.named', 'does not name the missing field', instead(422, { body: { error: 'Validation failed.' } })),
  wrong(
    '4.malformed.create',
    'answers malformed JSON with 422',
    instead(400, { status: 422 }, ({ method }) => method === 'POST'),
  ),
  wrong(
    '4.malformed.replace',
    'returns 500 for malformed JSON on PUT',
    instead(400, { status: 500 }, ({ method }) => method === 'PUT'),
  ),
];
