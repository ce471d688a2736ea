import type { Item } from '../right-service.testing.js';
import { instead, isItem, itemOf, reshaped, wrong, type WrongService } from './wrong-service.testing.js';

export const endpoints: readonly WrongService[] = [
  wrong('4.create.status', 'answers a creation with 200', instead(201, { status: 200 })),
  wrong('4.create.status', 'answers a creation with 202', instead(201, { status: 202 })),
  wrong(
    '4.get.status',
    'answers an item with 203',
    instead(200, { status: 203 }, (request) => isItem(request) && request.method === 'GET'),
  ),
  wrong(
    '4.get.item',
    'wraps the item',
    reshaped(
      (request) => isItem(request) && request.method === 'GET',
      (item) => ({ item }),
    ),
  ),
  wrong(
    '4.replace.status',
    'answers a replacement with 204',
    instead(200, { status: 204, text: '' }, ({ method }) => method === 'PUT'),
  ),
  wrong(
    '4.replace.status',
    'answers a replacement with 201',
    instead(200, { status: 201 }, ({ method }) => method === 'PUT'),
  ),
  wrong('4.replace.item', 'answers a replacement with what was there before', (request, right, items) => {
    const before = { ...itemOf(request, items) };
    const answer = right(request);
    return request.method === 'PUT' && answer.status === 200 ? { ...answer, body: before } : answer;
  }),
  wrong('4.replace.stored', 'stores no replacement', (request, right, items) => {
    const before = itemOf(request, items);
    const answer = right(request);
    if (request.method === 'PUT' && before) items.set(before.id, before);
    return answer;
  }),
  wrong('4.replace.whole', 'merges a replacement into the item', (request, right, items) => {
    const before = itemOf(request, items);
    const answer = right(request);
    if (request.method !== 'PUT' || answer.status !== 200 || !before) return answer;
    items.set(before.id, { ...before, ...(answer.body as Item) });
    return { ...answer, body: items.get(before.id) };
  }),
  wrong('4.replace.one', 'replaces all items', (request, right, items) => {
    const answer = right(request);
    if (request.method !== 'PUT' || answer.status !== 200) return answer;
    for (const item of items.values()) item.name = (answer.body as Item).name;
    return answer;
  }),
  wrong('4.delete.status', 'answers a deletion with 200', instead(204, { status: 200 })),
  wrong('4.delete.status', 'answers a deletion with a body', instead(204, { status: 200, body: { deleted: true } })),
  wrong('4.delete.empty', 'announces a body with 204', instead(204, { headers: { 'Content-Length': '2' } })),
  wrong('4.delete.gone', 'deletes nothing', (request, right, items) => {
    const before = itemOf(request, items);
    const answer = right(request);
    if (request.method === 'DELETE' && before) items.set(before.id, before);
    return answer;
  }),
  wrong('4.delete.one', 'deletes everything', (request, right, items) => {
    const answer = right(request);
    if (answer.status === 204) items.clear();
    return answer;
  }),
];
