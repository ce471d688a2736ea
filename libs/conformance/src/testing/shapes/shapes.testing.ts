import { type NamingOptions } from '../../naming/naming.js';
import {
  type Answer,
  everything,
  type Handler,
  type Item,
  type Offers,
  type Request,
  rightService,
} from '../right-service.testing.js';

/** A service with other names: the options of the suite, and a wrapper of the right service. */
export interface Shape {
  readonly name: string;
  readonly naming: NamingOptions;
  readonly offers: Offers;
  /** Translates requests for the right service, and its responses. */
  readonly around: (inner: Handler) => Handler;
}

const error = ({ status }: Answer): boolean => status >= 400;

/** The list is a bare array below a path. Page numbers have other names, and the body has no other members. */
export const bareArray: Shape = {
  name: 'a bare array, paged by p and size',
  naming: {
    ...{ collection: '/api/v1/widgets', member: null, sort: 'price', filter: { name: 'color', value: 'green' } },
    query: { page: 'p', per_page: 'size' },
  },
  offers: { ...everything, styles: ['offset'] },
  around: (inner) => (request) => {
    const answer = inner(moved(request, '/api/v1/widgets', { p: 'page', size: 'per_page' }));
    const { items } = (answer.body ?? {}) as { items?: unknown };
    return error(answer) || items === undefined ? answer : { ...answer, body: items };
  },
};

/** The list is a bare array of five rows; the tool does not know the parameters that request the next rows. */
export const firstRows: Shape = {
  name: 'a bare array of the first rows, with more by skip and take',
  naming: { member: null },
  offers: { ...everything, styles: ['offset'] },
  around: (inner) => (request) => {
    const [skip, take] = [Number(request.query.get('skip')), Number(request.query.get('take') ?? 5)];
    const whole = new URLSearchParams({ page: '1', per_page: '100' });
    const answer = inner({ ...request, query: whole });
    const { items } = (answer.body ?? {}) as { items?: unknown[] };
    return error(answer) || items === undefined ? answer : { ...answer, body: items.slice(skip, skip + take) };
  },
};

/** The list is below `data`, the cursor below `meta`, and fields have other names. */
export const deep: Shape = {
  name: 'rows in data.rows, cursors in meta.next, other fields',
  naming: {
    ...{ collection: '/things', member: 'data.rows', create: { title: 'x' }, sort: 'rank' },
    ...{ filter: { name: 'kind', value: 'tool' }, nextCursor: 'meta.next', query: { cursor: 'after', sort: 'order' } },
  },
  offers: { ...everything, styles: ['cursor'] },
  around: (inner) => (request) => {
    const ours: Readonly<Record<string, string>> = { title: 'name', kind: 'color', rank: 'price' };
    const query = { after: 'cursor', order: 'sort', kind: 'color' };
    const asked = moved(request, '/things', query);
    const sort = asked.query.get('sort');
    if (sort !== null) asked.query.set('sort', ours[sort] ?? sort);
    const raw = asked.raw.replaceAll(/"(title|kind|rank)":/g, (_, field: string) => `"${ours[field] ?? ''}":`);
    const answer = inner({ ...asked, raw });
    return { ...answer, ...(answer.body === undefined ? {} : { body: deepBody(answer.body) }) };
  },
};

function deepBody(body: unknown): unknown {
  const theirs: Readonly<Record<string, string>> = { name: 'title', color: 'kind', price: 'rank' };
  const renamed = JSON.parse(
    JSON.stringify(body).replaceAll(/"(name|color|price)":/g, (_, field: string) => `"${theirs[field] ?? ''}":`),
  ) as Record<string, unknown>;
  if (typeof renamed['error'] === 'string') {
    return { ...renamed, error: renamed['error'].replace('field name', 'field title') };
  }
  const { items, next_cursor: next, ...rest } = renamed;
  if (items === undefined) return renamed;
  return { data: { rows: items }, meta: next === undefined ? {} : { next }, ...rest };
}

/** The list has another position in the body, and so does the number of rows. */
export const renamed: Shape = {
  name: 'rows in data, totals in meta.count, numbers as ids',
  naming: {
    ...{ collection: '/widgets', member: 'data', total: 'meta.count', sort: 'price' },
    filter: { name: 'color', value: 'red' },
  },
  offers: { ...everything, styles: ['offset'] },
  around: (inner) => (request) => {
    const answer = inner(moved(request, '/widgets', {}));
    const { items, total, ...rest } = (answer.body ?? {}) as Record<string, unknown>;
    if (error(answer) || items === undefined) return numbered(answer);
    return numbered({ ...answer, body: { data: items, meta: { count: total }, ...rest } });
  },
};

function numbered(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer).replaceAll(/"id":"(\d+)"/g, '"id":$1')) as Answer;
}

export const shapes: readonly Shape[] = [bareArray, deep, renamed];

function moved(request: Request, collection: string, names: Readonly<Record<string, string>>): Request {
  const query = new URLSearchParams(
    [...request.query].map(([name, value]): [string, string] => [names[name] ?? name, value]),
  );
  return { ...request, query, path: request.path.replace(collection, '/items') };
}

/** @param step A single wrong step. */
export function shaped(
  shape: Shape,
  items: Map<string, Item>,
  step?: (request: Request, right: Handler, items: Map<string, Item>) => Answer,
): Handler {
  const right = rightService(shape.offers, items);
  return shape.around(step === undefined ? right : (request) => step(request, right, items));
}
