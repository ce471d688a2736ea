import type { CollectionDefinition } from '../../data/definition/collection.js';

export type NamedCollection = Pick<CollectionDefinition<never, object>, 'name' | 'singular'> &
  Partial<Pick<CollectionDefinition<never, object>, 'ownFields' | 'parent' | 'ranges'>>;

export class CollectionNameError extends Error {
  override readonly name = 'CollectionNameError';
}

const NAME = /^[a-z][a-z0-9_]{0,49}$/;
const BAD_NAME = 'names match [a-z][a-z0-9_]* and have at most 50 characters';
const SINGULAR = /^[A-Za-z][A-Za-z0-9]*(?:[ _][A-Za-z0-9]+)*$/;

/** Names that every service uses: tables, first path segments, path segments below `/users`, and scopes. */
const RESERVED: ReadonlySet<string> = new Set(
  `api_key_secrets api_keys audit audit_events client_secrets clients collection_counts collection_lanes
  console deliveries docs epoch_ends events grants health idempotency_records identity keys me migrations
  oauth oauth_artifacts oauth_authorizations openapi password sessions settings user_passwords
  users webhook_secrets webhook_states webhooks`.split(/\s+/),
);
/** Prefixes of partitions and system tables, and names of CTEs in writes. */
const RESERVED_FORM = /^(?:(?:deliveries|events|sqlite|pg)_|(?:above|held|stamp|write\d+)$)/;
const VERSIONS = /_versions$/;

/** Object kinds that every service uses in events, in the audit and in error codes. */
const OWN_KINDS: ReadonlySet<string> = new Set(['user', 'api_key', 'client', 'session', 'grant', 'webhook']);

const COLUMNS: ReadonlySet<string> = new Set(
  'id created_at updated_at lane seq lane_to seq_to rowid ctid oid tableoid xmin xmax cmin cmax'.split(' '),
);
const PARAMETERS: ReadonlySet<string> = new Set(['sort', 'limit', 'cursor', 'page', 'per_page']);

/**
 * Refuses collections whose names collide in the database, in paths, in scopes or in events. A collision in events
 * would show members of one collection to readers of another.
 * @throws {CollectionNameError}
 */
export function requireSoundNames(collections: readonly NamedCollection[]): void {
  const byName = new Set<string>();
  const byKind = new Map<string, NamedCollection>();
  for (const collection of collections) {
    const { name, singular } = collection;
    requireCollectionName(name);
    if (byName.has(name)) throw new CollectionNameError(`Two collections are named "${name}".`);
    byName.add(name);
    const kind = requireSingular(collection);
    const other = byKind.get(kind);
    if (other !== undefined) {
      throw new CollectionNameError(
        `The collections "${other.name}" and "${name}" have the same singular, "${singular}": events could not tell them apart.`,
      );
    }
    byKind.set(kind, collection);
    for (const field of collection.ownFields ?? []) requireFieldName(field, collection);
  }
}

function requireCollectionName(name: string): void {
  const problem = firstOf({
    [BAD_NAME]: !NAME.test(name),
    'the service itself has a table, a path or a scope of this name': RESERVED.has(name) || RESERVED_FORM.test(name),
    'tables whose names end in _versions hold replaced members': VERSIONS.test(name),
  });
  if (problem !== undefined) throw new CollectionNameError(`A collection cannot be named "${name}": ${problem}.`);
}

function requireSingular({ name, singular }: NamedCollection): string {
  const kind = singular.toLowerCase().replaceAll(' ', '_');
  const problem = firstOf({
    'it must be words of letters and digits, with at most 50 characters':
      !SINGULAR.test(singular) || singular.length > 50,
    'the service itself has objects of this kind': OWN_KINDS.has(kind),
  });
  if (problem === undefined) return kind;
  throw new CollectionNameError(`The singular of the collection "${name}" cannot be "${singular}": ${problem}.`);
}

function requireFieldName(field: string, { name, parent, ranges = {} }: NamedCollection): void {
  const problem =
    firstOf({
      [BAD_NAME]: !NAME.test(field),
      'the service itself has a column of this name': COLUMNS.has(field) || field === parent,
      'lists have a query parameter of this name': PARAMETERS.has(field),
    }) ?? rangeNamed(field, ranges);
  if (problem === undefined) return;
  throw new CollectionNameError(`A field of the collection "${name}" cannot be named "${field}": ${problem}.`);
}

function firstOf(problems: Readonly<Record<string, boolean>>): string | undefined {
  return Object.keys(problems).find((problem) => problems[problem]);
}

function rangeNamed(field: string, ranges: NonNullable<NamedCollection['ranges']>): string | undefined {
  const ranged = Object.entries(ranges).find(([of, { ends }]) => ends.some((end) => field === `${of}_${end}`));
  return ranged && `lists are narrowed to a range of "${ranged[0]}" by this parameter`;
}
