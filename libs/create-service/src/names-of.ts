import { CreateServiceError } from './create-service-error.js';

/** Names and sample values in the templates. */
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
const FIELDS = { text: 'name', filterField: 'category', number: 'rank' };
const BOOK_FIELDS = { text: 'title', filterField: 'author', number: 'year' };
const VALUES = ['First', 'Example', 1] as const;
const BOOK_VALUES = ['Emma', 'Jane Austen', 1815] as const;

/**
 * Derives all names from the name of a collection, a plural in snake_case.
 * @throws {CreateServiceError} the name cannot be used.
 */
export function namesOf(collection: string): CollectionNames {
  if (!COLLECTION.test(collection) || collection.length > 50 || TAKEN.has(collection))
    throw new CreateServiceError(
      `A collection cannot be named "${collection}": use another plural in lower case, such as books or order_notes.`,
    );
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
