import type { Change, DocumentObject, Target, VersionedEvent } from './change.js';

type Response = Parameters<NonNullable<Change['response']>>[0];

export interface RenamedField {
  readonly sentence: string;
  /** Path of the collection: `/items`. */
  readonly path: string;
  /** Name of the array of members in a list: `items`. */
  readonly listMember: string;
  /** Prefix of the event kinds: `item`. */
  readonly subject?: string;
  readonly schemas: readonly string[];
  readonly from: string;
  readonly to: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Renames a field in bodies, lists, `sort`, filters, errors and events. The old and the new name are swapped, so that
 * the new name is refused as unknown if a client of the older version sends it.
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
    body: (body, endpoint) => (isHere(endpoint.path) ? swap(body) : body),
    response: (response, endpoint) => (isHere(endpoint.path) ? { ...response, body: bodyDown(response) } : response),
    event: { up: ofSubject, down: ofSubject },
    document: (document) => documentDown(document),
  };

  function bodyDown({ status, body }: Response): unknown {
    if (!isFields(body)) return body;
    if (status >= 400) return errorDown(body);
    const members = body[listMember];
    return Array.isArray(members) ? { ...body, [listMember]: members.map(swap) } : swap(body);
  }

  /** `details` name the field, and messages quote it. */
  function errorDown(body: Fields): Fields {
    const renameQuoted = (text: unknown): unknown =>
      typeof text === 'string'
        ? text
            .split('"')
            .map((part, index) => (index % 2 === 1 ? pathOf(part) : part))
            .join('"')
        : text;
    const { details } = body;
    const detailDown = (detail: unknown): unknown =>
      isFields(detail)
        ? { ...detail, field: pathOf(String(detail['field'])), message: renameQuoted(detail['message']) }
        : detail;
    return {
      ...body,
      error: renameQuoted(body['error']),
      ...(Array.isArray(details) && { details: details.map(detailDown).sort(byField) }),
    };
  }

  /** Swaps the first segment of a path such as `color.0`. */
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
    const renamedWebhooks = Object.entries(webhooks ?? {}).map(([kind, item]) => [
      kind,
      isOfSubject(kind) ? renamedDeep(item, swapped) : item,
    ]);
    return {
      ...document,
      ...(webhooks !== undefined && { webhooks: Object.fromEntries(renamedWebhooks) as Fields }),
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

/** Renames members, parameters and required names in the part of a document that belongs to this collection. */
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
