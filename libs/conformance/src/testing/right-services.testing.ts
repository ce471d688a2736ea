import { type NamingOptions } from '../naming/naming.js';
import { type Listing } from './lists/list-options.testing.js';
import { listing } from './lists/listing.testing.js';
import {
  type Answer,
  everything,
  type Handler,
  type Item,
  type Offers,
  rightService,
} from './right-service.testing.js';
import { firstRows, shaped, shapes } from './shapes/shapes.testing.js';
import { isList, type Step } from './wrong/wrong-service.testing.js';

export interface RightService {
  readonly name: string;
  readonly naming?: NamingOptions;
  readonly make: (items: Map<string, Item>) => Handler;
}

const ofLists = (name: string, options: Listing, offers: Partial<Offers> = {}): RightService =>
  withStep(name, () => listing(options), offers);

function withStep(
  name: string,
  make: () => Step,
  offers: Partial<Offers> = {},
  naming: NamingOptions = {},
): RightService {
  return {
    name,
    naming,
    make: (items) => {
      const right = rightService({ ...everything, ...offers }, items);
      const step = make();
      return (request) => step(request, right, items);
    },
  };
}

const byCursor = { styles: ['cursor'] } as const;
const byNumber = { styles: ['offset'] } as const;
const keyset = { paging: 'keyset', refusesSort: true } as const;

const lists: readonly RightService[] = [
  ofLists('keyset paging, the oldest first', keyset, byCursor),
  ofLists('keyset paging, the newest first', { ...keyset, order: 'newest' }, byCursor),
  ofLists('keyset paging in the order of UUIDs', { ...keyset, order: 'uuid' }, byCursor),
  ofLists('keyset paging and pages by number', { ...keyset, pagesByNumber: true }),
  ofLists('keyset paging with cursors of digits', { ...keyset, digits: true }, byCursor),
  ofLists('keyset paging with pages that end early', { ...keyset, endsEarly: true }, byCursor),
  ofLists('keyset paging with an empty last page', { ...keyset, emptyLast: true, order: 'newest' }, byCursor),
  ofLists('keyset paging of items without colours', keyset, { ...byCursor, fields: ['name'] }),
  ofLists('snapshots', { paging: 'snapshot', refusesUnknown: true }, byCursor),
  ofLists('snapshots with nulls first', { paging: 'snapshot', nulls: 'first' }, byCursor),
  ofLists('snapshots with nulls that turn with the order', { paging: 'snapshot', nulls: 'reversed' }, byCursor),
  ofLists('snapshots without a descending order', { paging: 'snapshot', descending: 'is refused' }, byCursor),
  ofLists('snapshots that ignore a descending order', { paging: 'snapshot', descending: 'is ignored' }),
  ofLists('snapshots with pages that end early', { paging: 'snapshot', endsEarly: true }, byCursor),
  ofLists('snapshots with an empty last page', { paging: 'snapshot', emptyLast: true }, byCursor),
  ofLists('snapshots of two rows a page at most', { paging: 'snapshot', largestSize: 2, defaultSize: 2 }, byCursor),
  ofLists('pages by number', { paging: 'offset' }, byNumber),
  ofLists('pages by number that refuse a page past the end', { paging: 'offset', pastTheEnd: 'refused' }, byNumber),
  ofLists(
    'pages by number that show the last page past the end',
    { paging: 'offset', pastTheEnd: 'last page' },
    byNumber,
  ),
  ofLists('large pages', { ...keyset, defaultSize: 200, largestSize: 500 }, byCursor),
  ofLists('small pages by number', { paging: 'offset', largestSize: 5, defaultSize: 3, nulls: 'first' }, byNumber),
];

/** Changes bodies of create and replace requests before they are stored. */
const stored =
  (change: (body: Partial<Item>) => Record<string, unknown>): Step =>
  (request, right) => {
    if (!['POST', 'PUT'].includes(request.method)) return right(request);
    try {
      const body: unknown = JSON.parse(request.raw);
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
      return right(isObject ? { ...request, raw: JSON.stringify(change(body)) } : request);
    } catch {
      return right(request);
    }
  };

/** A second item with the same name is a conflict. */
const uniqueNames: Step = (request, right, items) => {
  const answer = right(request);
  const item = answer.body as Item | undefined;
  const isSecond = [...items.values()].some(({ id, name }) => name === item?.name && id !== item.id);
  if (answer.status !== 201 || item === undefined || !isSecond) return answer;
  items.delete(item.id);
  return { status: 409, body: { error: 'The name is taken.' } };
};

const timed = (answer: Answer): Answer =>
  answer.status < 300 && answer.body !== undefined && 'id' in (answer.body as object)
    ? { ...answer, body: { ...(answer.body as object), updated_at: '2026-01-01T00:00:00Z' } }
    : answer;

/** Changes the bodies of lists. */
const shown =
  (change: (body: Record<string, unknown>, query: URLSearchParams) => object): Step =>
  (request, right) => {
    const answer = right(request);
    const isShown = isList(request) && answer.status === 200;
    return isShown ? { ...answer, body: change(answer.body as Record<string, unknown>, request.query) } : answer;
  };

const fields: readonly RightService[] = [
  withStep('lists that show ids and names alone', () =>
    shown((body) => ({ ...body, items: (body['items'] as Item[]).map(({ id, name }) => ({ id, name })) })),
  ),
  withStep('a total beside `next_cursor`', () => shown((body) => ({ ...body, total: 1000 })), byCursor),
  withStep(
    'pages past the end that are the first one',
    () => (request, right) => {
      const answer = right(request);
      const { items } = (answer.body ?? {}) as { items?: unknown[] };
      if (!isList(request) || items?.length !== 0 || Number(request.query.get('page')) < 2) return answer;
      return right({ ...request, query: new URLSearchParams({ ...Object.fromEntries(request.query), page: '1' }) });
    },
    byNumber,
  ),
  withStep('names stored without their blanks', () =>
    stored((body) => ({ ...body, ...(typeof body.name === 'string' ? { name: body.name.trim() } : {}) })),
  ),
  withStep('a price that is never null', () => stored((body) => ({ ...body, price: body.price ?? 0 }))),
  withStep('names that are unique', () => uniqueNames),
  withStep('`updated_at` that a replacement does not change', () => (request, right) => timed(right(request))),
  withStep('errors with a code and details', () => (request, right) => {
    const answer = right(request);
    const more = { code: 'refused', details: [], documentation: '/items/errors' };
    return answer.status < 400 ? answer : { ...answer, body: { ...(answer.body as object), ...more } };
  }),
  withStep(
    'fields below `attributes`',
    () => (request, right) => {
      const renamed = (raw: string): string => {
        try {
          const { attributes = {}, ...rest } = JSON.parse(raw) as { attributes?: { title?: unknown } };
          const { title: name, ...others } = attributes;
          return JSON.stringify({ ...rest, ...others, name });
        } catch {
          return raw;
        }
      };
      const query = new URLSearchParams(
        [...request.query].map(
          ([name, value]): [string, string] =>
            [name, value.replace('attributes.title', 'name').replace('attributes.', '')].map((one) =>
              one.replace('attributes.', ''),
            ) as [string, string],
        ),
      );
      const answer = right({ ...request, query, raw: request.raw === '[]' ? request.raw : renamed(request.raw) });
      const deep = (item: unknown): unknown => {
        const { id, name: title, ...rest } = item as Item;
        return { id, attributes: { title, ...rest } };
      };
      const body = answer.body as { items?: unknown[]; id?: string; error?: string } | undefined;
      if (body?.error !== undefined) return { ...answer, body: { error: body.error.replace('name', 'title') } };
      if (body?.items !== undefined) return { ...answer, body: { ...body, items: body.items.map(deep) } };
      return body?.id === undefined ? answer : { ...answer, body: deep(body) };
    },
    {},
    {
      ...{ required: 'attributes.title', create: { attributes: { title: 'x' } }, sort: 'attributes.price' },
      filter: { name: 'attributes.color', value: 'red' },
    },
  ),
];

export const rightServices: readonly RightService[] = [
  { name: 'the seed specification itself', make: (items) => rightService(everything, items) },
  ...[...shapes, firstRows].map((shape) => ({
    name: shape.name,
    naming: shape.naming,
    make: (items: Map<string, Item>) => shaped(shape, items),
  })),
  ...lists,
  ...fields,
];
