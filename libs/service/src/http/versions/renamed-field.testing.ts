import type { Change, DocumentObject, Target, VersionedEvent } from './change.js';

type Response = Parameters<NonNullable<Change['answer']>>[0];

/** A field of a collection's members, before its new name and since. */
export interface RenamedField {
  /** What changed, for people: one sentence. */
  readonly sentence: string;
  /** Of the collection: `/items`. */
  readonly path: string;
  /** Under which a list has its members: `items`. */
  readonly listMember: string;
  /** Begins the kinds of their events: `item`; undefined where there are none. */
  readonly subject?: string;
  /** The schemas in the document that have the field, by name. */
  readonly schemas: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** Members of a JSON object by name. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * A field got another name: in bodies, lists, `sort`, filters, errors and events alike. The two names change places, so
 * that the new one, sent by a client of the older version, is refused as unknown, and named.
 * @see SPEC §9
 */
export function renamedField({ sentence, path, listMember, subject, schemas, from, to }: RenamedField): Change {
  const swapped = (name: string): string => (name === from ? to : name === to ? from : name);
  const swap = (value: unknown): unknown => (isFields(value) ? withNames(value, swapped) : value);
  const isMember = (at: string): boolean => at.startsWith(`${path}/`) && !at.includes('/', path.length + 1);
  const isHere = (at: string): boolean => at === path || isMember(at);
  const swapQuery = <T extends Target>(target: T): T =>
    target.path === path && target.query.length > 0
      ? { ...target, query: target.query.map(([name, value]) => swappedPair(name, value, swapped)) }
      : target;
  const ofSubject = (event: VersionedEvent): VersionedEvent =>
    subject !== undefined && event.type.startsWith(`${subject}.`)
      ? { ...event, data: mapped(event.data, swap) as VersionedEvent['data'] }
      : event;
  return {
    sentence,
    request: swapQuery,
    link: swapQuery,
    body: (body, place) => (isHere(place.path) ? swap(body) : body),
    answer: (answer, place) => (isHere(place.path) ? { ...answer, body: bodyDown(answer) } : answer),
    event: { up: ofSubject, down: ofSubject },
    document: (document) => documentDown(document),
  };

  function bodyDown({ status, body }: Response): unknown {
    if (!isFields(body)) return body;
    if (status >= 400) return errorDown(body);
    const members = body[listMember];
    return Array.isArray(members) ? { ...body, [listMember]: members.map(swap) } : swap(body);
  }

  /** `details` name the field, and the sentences quote it. */
  function errorDown(body: Fields): Fields {
    const inWords = (text: unknown): unknown =>
      typeof text === 'string'
        ? text
            .split('"')
            .map((part, index) => (index % 2 === 1 ? pathOf(part) : part))
            .join('"')
        : text;
    const { details } = body;
    const detailDown = (detail: unknown): unknown =>
      isFields(detail)
        ? { ...detail, field: pathOf(String(detail['field'])), message: inWords(detail['message']) }
        : detail;
    return {
      ...body,
      error: inWords(body['error']),
      ...(Array.isArray(details) && { details: details.map(detailDown).sort(byField) }),
    };
  }

  /** Of a field of the members, or of one inside it: `color.0`. */
  function pathOf(field: string): string {
    const [first = '', ...rest] = field.split('.');
    return [swapped(first), ...rest].join('.');
  }

  function documentDown(document: DocumentObject): DocumentObject {
    const { components, paths, webhooks } = document as { components: Fields; paths: Fields; webhooks?: Fields };
    const known = components['schemas'] as Fields;
    const renamed = Object.entries(known).map(([name, schema]) => [
      name,
      schemas.includes(name) ? renamedDeep(schema, swapped) : schema,
    ]);
    const here = Object.entries(paths).map(([at, item]) => [at, isHere(at) ? renamedDeep(item, swapped) : item]);
    const isOfSubject = (kind: string): boolean => subject !== undefined && kind.startsWith(`${subject}.`);
    const told = Object.entries(webhooks ?? {}).map(([kind, item]) => [
      kind,
      isOfSubject(kind) ? renamedDeep(item, swapped) : item,
    ]);
    return {
      ...document,
      ...(webhooks !== undefined && { webhooks: Object.fromEntries(told) as Fields }),
      components: { ...components, schemas: Object.fromEntries(renamed) as Fields },
      paths: Object.fromEntries(here) as Fields,
    };
  }
}

function swappedPair(name: string, value: string, swapped: (name: string) => string): readonly [string, string] {
  if (name !== 'sort') return [swapped(name), value];
  const keys = value.split(',').map((key) => sortKey(key, swapped));
  return [name, keys.join(',')];
}

/** `color` or `-color`. */
function sortKey(key: string, swapped: (name: string) => string): string {
  return key.startsWith('-') ? `-${swapped(key.slice(1))}` : swapped(key);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withNames(fields: Fields, nameOf: (name: string) => string): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [nameOf(name), value]));
}

function mapped(fields: object, turn: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, turn(value)]));
}

/** Names of members, of parameters and of what is required: in the part of a document that is of this collection alone. */
function renamedDeep(value: unknown, swapped: (name: string) => string): unknown {
  if (typeof value === 'string') return sortKey(value, swapped);
  if (Array.isArray(value)) return value.map((each) => renamedDeep(each, swapped));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [swapped(name), renamedDeep(each, swapped)]));
}

function byField(a: unknown, b: unknown): number {
  const [first, second] = [a, b].map((detail) => String((detail as Fields)['field']));
  if (first === second) return 0;
  return (first ?? '') < (second ?? '') ? -1 : 1;
}
