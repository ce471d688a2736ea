import type { CollectionNames } from './names.ts';
import type { Field } from './fields.ts';

/** Names that a service refuses at its start (libs/service/src/service/composition/collection-names.ts). */
const RESERVED = new Set(
  `api_key_secrets api_keys audit audit_events client_secrets clients collection_counts collection_lanes
  console deliveries docs epoch_ends events grants health idempotency_records identity keys me migrations
  oauth oauth_artifacts oauth_authorizations openapi password sessions settings user_passwords
  users webhook_secrets webhook_states webhooks`.split(/\s+/),
);
const RESERVED_FORM = /^(?:(?:deliveries|events|sqlite|pg)_|(?:above|held|stamp|write\d+)$)/;
const VERSIONS = /_versions$/;
const OWN_KINDS = new Set(['user', 'api_key', 'client', 'session', 'grant', 'webhook']);
const COLUMNS = new Set(
  'id created_at updated_at lane seq lane_to seq_to rowid ctid oid tableoid xmin xmax cmin cmax'.split(' '),
);
const PARAMETERS = new Set(['sort', 'limit', 'cursor', 'page', 'per_page']);

/** Words that cannot be the name of a constant in the generated file. */
const WORDS_OF_TYPESCRIPT = new Set(
  `await break case catch class collection const continue debugger default delete do else enum export extends false
  finally for function if import in instanceof let new null return static super switch this throw true try typeof var
  void while with yield`.split(/\s+/),
);

/** @throws {Error} for a word of TypeScript, or a name that `@items/service` refuses at start with the same message. */
export function requireCollectionName({ table, words, subject, variables }: CollectionNames) {
  const problem =
    RESERVED.has(table) || RESERVED_FORM.test(table)
      ? 'the service itself has a table, a path or a scope of this name'
      : VERSIONS.test(table)
        ? 'tables whose names end in _versions hold replaced members'
        : WORDS_OF_TYPESCRIPT.has(variables)
          ? 'it is a word of TypeScript'
          : undefined;
  if (problem !== undefined) throw new Error(`A collection cannot be named "${table}": ${problem}.`);
  if (!OWN_KINDS.has(subject)) return;
  throw new Error(
    `The singular of the collection "${table}" cannot be "${words}": the service itself has objects of this kind.`,
  );
}

/** @throws {Error} for a name that `@items/service` refuses at its start, with the same message. */
export function requireFieldNames(collection: string, fields: readonly Field[], parent: string | undefined) {
  const sorted = fields.filter(({ sortable }) => sortable);
  const texts = sorted.filter(({ typeName }) => typeName === 'string').map(({ name }) => name);
  const others = sorted.map(({ name }) => name).filter((name) => !texts.includes(name));
  const ranges = new Map([
    ...texts.map((name) => [`${name}_prefix`, name]),
    ...[...others, 'created_at', 'updated_at'].flatMap((name) => ['min', 'max'].map((end) => [`${name}_${end}`, name])),
  ] as [string, string][]);
  for (const { name } of fields) {
    const ranged = ranges.get(name);
    const problem =
      COLUMNS.has(name) || name === parent
        ? 'the service itself has a column of this name'
        : PARAMETERS.has(name)
          ? 'lists have a query parameter of this name'
          : ranged && `lists are narrowed to a range of "${ranged}" by this parameter`;
    if (problem === undefined) continue;
    throw new Error(`A field of the collection "${collection}" cannot be named "${name}": ${problem}.`);
  }
}
