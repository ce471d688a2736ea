/** The folder or a name is refused; the message explains why. */
export class CreateServiceError extends Error {
  override readonly name = 'CreateServiceError';
}

const COLLECTION = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** Names that collide with imports of the templates, or with words of JavaScript. */
const TAKEN = new Set(['collection', 'service', 'assert', 'test', 'main', 'admin', 'class', 'this', 'process']);
/** Names that `@items/service` refuses at its start (`collection-names.ts`). */
const RESERVED: ReadonlySet<string> = new Set(
  `api_key_secrets api_keys audit audit_events client_secrets clients collection_counts collection_lanes
  console deliveries docs epoch_ends events grants health idempotency_records identity keys me migrations
  oauth oauth_artifacts oauth_authorizations openapi password sessions settings user_passwords
  users webhook_secrets webhook_states webhooks`.split(/\s+/),
);
const RESERVED_FORM = /^(?:(?:deliveries|events|sqlite|pg)_|(?:above|held|stamp|write\d+)$)/;
const VERSIONS = /_versions$/;
const SAMPLE = [
  ['name', 'First'],
  ['category', 'Example'],
  ['rank', 1],
] as const;
const BOOK_SAMPLE = [
  ['title', 'Emma'],
  ['author', 'Jane Austen'],
  ['year', 1815],
] as const;

/**
 * Derives the values of the templates from a plural in snake_case.
 * @throws {CreateServiceError} The plural is refused.
 */
export function namesOf(collection: string): Readonly<Record<string, string>> & { readonly path: string } {
  if (!COLLECTION.test(collection) || collection.length > 50 || TAKEN.has(collection))
    throw new CreateServiceError(
      `A collection cannot be named "${collection}": use another plural in lower case, such as books or order_notes.`,
    );
  const problem = VERSIONS.test(collection)
    ? 'tables whose names end in _versions hold replaced members'
    : 'the service itself has a table, a path or a scope of this name';
  if (RESERVED.has(collection) || RESERVED_FORM.test(collection) || VERSIONS.test(collection))
    throw new CreateServiceError(`A collection cannot be named "${collection}": ${problem}.`);
  const sample = collection === 'books' ? BOOK_SAMPLE : SAMPLE;
  const [[text], [filterField, filter], [number]] = sample;
  const literals = sample.map(([key, value]) => `${key}: ${typeof value === 'string' ? `'${value}'` : String(value)}`);
  const singular = singularOf(collection);
  return {
    collection,
    path: collection.replaceAll('_', '-'),
    variable: camelCase(collection),
    singular: singular.replaceAll('_', ' '),
    Class: camelCase(`_${singular}`),
    text,
    filterField,
    number,
    sample: JSON.stringify(Object.fromEntries(sample)),
    sampleObject: `{ ${literals.join(', ')} }`,
    required: text,
    sort: number,
    filter: `${filterField}=${filter}`,
  };
}

function singularOf(plural: string): string {
  if (plural.endsWith('ies')) return plural.replace(/ies$/, 'y');
  if (/(?:ss|x|ch|sh)es$/.test(plural)) return plural.replace(/es$/, '');
  return /[^s]s$/.test(plural) ? plural.slice(0, -1) : plural;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
