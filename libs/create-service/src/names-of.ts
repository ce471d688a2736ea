import { CreateServiceError } from './create-service-error.js';

export interface CollectionNames {
  readonly collection: string;
  readonly path: string;
  readonly variable: string;
  readonly singular: string;
  readonly Class: string;
  readonly text: string;
  readonly filterField: string;
  readonly number: string;
  readonly sample: string;
  readonly sampleObject: string;
  readonly required: string;
  readonly sort: string;
  readonly filter: string;
}

const COLLECTION = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** Names of imports in the templates, and plurals that are words of JavaScript. */
const TAKEN = new Set(['collection', 'service', 'assert', 'test', 'main', 'admin', 'class', 'this', 'process']);
/** Names that the start refuses, as in `collection-names.ts` of `@items/service`. */
const RESERVED: ReadonlySet<string> = new Set(
  `api_key_secrets api_keys audit audit_events client_secrets clients collection_counts collection_lanes
  console deliveries docs epoch_ends events grants health idempotency_records identity keys me migrations
  oauth oauth_artifacts oauth_authorizations openapi password sessions settings user_passwords
  users webhook_secrets webhook_states webhooks`.split(/\s+/),
);
const RESERVED_FORM = /^(?:(?:deliveries|events|sqlite|pg)_|(?:above|held|stamp|write\d+)$)/;
const VERSIONS = /_versions$/;
const FIELDS = { text: 'name', filterField: 'category', number: 'rank' };
const BOOK_FIELDS = { text: 'title', filterField: 'author', number: 'year' };
const VALUES = ['First', 'Example', 1] as const;
const BOOK_VALUES = ['Emma', 'Jane Austen', 1815] as const;

/** Derives all names from a plural in snake_case. @throws {CreateServiceError} the name cannot be used. */
export function namesOf(collection: string): CollectionNames {
  if (!COLLECTION.test(collection) || collection.length > 50 || TAKEN.has(collection))
    throw new CreateServiceError(
      `A collection cannot be named "${collection}": use another plural in lower case, such as books or order_notes.`,
    );
  const problem = VERSIONS.test(collection)
    ? 'tables whose names end in _versions hold replaced members'
    : 'the service itself has a table, a path or a scope of this name';
  if (RESERVED.has(collection) || RESERVED_FORM.test(collection) || VERSIONS.test(collection))
    throw new CreateServiceError(`A collection cannot be named "${collection}": ${problem}.`);
  const fields = collection === 'books' ? BOOK_FIELDS : FIELDS;
  const [text, filter, number] = collection === 'books' ? BOOK_VALUES : VALUES;
  const singular = singularOf(collection);
  const sample = { [fields.text]: text, [fields.filterField]: filter, [fields.number]: number };
  const entries = Object.entries(sample).map(([key, value]) => `${key}: ${literal(value)}`);
  return {
    collection,
    path: collection.replaceAll('_', '-'),
    variable: camelCase(collection),
    singular: singular.replaceAll('_', ' '),
    Class: camelCase(`_${singular}`),
    ...fields,
    sample: JSON.stringify(sample),
    sampleObject: `{ ${entries.join(', ')} }`,
    required: fields.text,
    sort: fields.number,
    filter: `${fields.filterField}=${filter}`,
  };
}

function literal(value: string | number): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return plural.replace(/ies$/, 'y');
  if (/(?:ss|x|ch|sh)es$/.test(plural)) return plural.replace(/es$/, '');
  return /[^s]s$/.test(plural) ? plural.slice(0, -1) : plural;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
