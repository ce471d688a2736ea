import type { Item } from '../right-service.testing.js';
import { bodyOf, itemOf, wrong, type WrongService } from './wrong-service.testing.js';

export const section2: readonly WrongService[] = [
  wrong('2.id.assigned', 'returns the id only in Location', (request, right) => {
    const answer = right(request);
    if (answer.status !== 201) return answer;
    const { id, ...body } = bodyOf(answer);
    return { ...answer, body, headers: { Location: `/items/${String(id)}` } };
  }),
  wrong('2.id.unique', 'assigns the same id to all items', (request, right, items) => {
    const answer = right(request);
    if (answer.status !== 201) return answer;
    const item = { ...(answer.body as Item), id: '1' };
    items.delete((answer.body as Item).id);
    items.set('1', item);
    return { ...answer, body: item };
  }),
  {
    fails: '2.id.unique',
    what: 'assigns the same id to two concurrent items',
    make: () => {
      let last = 0;
      return (request, right, items) => {
        const answer = right(request);
        if (answer.status !== 201) return answer;
        const item = answer.body as Item;
        const isClose = performance.now() - last < 20;
        last = performance.now();
        const before = [...items.keys()].at(-2);
        if (!isClose || before === undefined) return answer;
        items.delete(item.id);
        items.set(before, { ...item, id: before });
        return { ...answer, body: { ...item, id: before } };
      };
    },
  },
  wrong('2.id.output-only', 'lets clients choose the id', (request, right, items) => {
    const answer = right(request);
    const chosen = answer.status === 201 ? (JSON.parse(request.raw) as { id?: string | number }).id : undefined;
    if (chosen === undefined) return answer;
    const item = { ...(answer.body as Item), id: String(chosen) };
    items.delete((answer.body as Item).id);
    items.set(item.id, item);
    return { ...answer, body: item };
  }),
  wrong('2.id.kept', 'lets a replacement change the id', (request, right, items) => {
    const answer = right(request);
    if (answer.status !== 200 || request.method !== 'PUT') return answer;
    Object.assign(itemOf(request, items) ?? {}, JSON.parse(request.raw));
    return answer;
  }),
  wrong('2.name.kept', 'loses letters that are not ASCII', (request, right) =>
    right({ ...request, raw: request.raw.replaceAll(/[^\x20-\x7e]/g, '?') }),
  ),
  wrong('2.name.string', 'stores a number as the name', (request, right, items) => {
    const answer = right({ ...request, raw: request.raw.replace('"name":42', '"name":"42"') });
    const item = answer.status === 201 ? items.get((answer.body as Item).id) : undefined;
    if (item?.name === '42') Object.assign(item, { name: 42 });
    return answer;
  }),
  wrong('2.collections.plural', 'serves /item as well', (request, right) =>
    right({ ...request, path: request.path.replace(/^\/item$/, '/items') }),
  ),
  wrong('2.orders.nested', 'returns the orders of a user as one text', (request, right) => {
    if (request.path === '/users') return { status: 200, body: { users: [{ id: 'u1' }] } };
    return request.path === '/users/u1/orders' ? { status: 200, body: 'none' } : right(request);
  }),
];
