import { parseFields, type Field } from './fields.ts';
import { parseKeys } from './keys.ts';
import { collectionNames, type CollectionNames } from './names.ts';
import { requireCollectionName, requireFieldNames } from './reserved-names.ts';

const METHODS = ['list', 'create', 'get', 'replace', 'remove'];

export interface Plan {
  names: CollectionNames;
  fields: Field[];
  /** Name of the parent collection, such as `users`. */
  parent?: string;
  parentColumn?: string;
  unique: string[][];
  /** Methods that are served; empty for all. */
  methods: readonly string[];
  /** If true, changes of members create events. */
  events: boolean;
  /** The command that generates the same collection. */
  command: string;
}

export interface CollectionOptions {
  name: string;
  field?: readonly string[];
  singular?: string;
  parent?: string;
  unique?: readonly string[];
  methods?: readonly string[];
  events?: boolean;
}

/** @throws {Error} The message explains the mistake. */
export function planCollection({
  name,
  field = [],
  singular,
  parent,
  unique = [],
  methods = [],
  events = true,
}: CollectionOptions): Plan {
  const names = collectionNames(name, singular);
  requireCollectionName(names);
  const parentColumn = parent === undefined ? undefined : `${collectionNames(parent).subject}_id`;
  const fields = parseFields(field);
  requireFieldNames(names.table, fields, parentColumn);
  const keys = parseKeys(names.table, fields, unique);
  requireMethods(names.table, methods);
  if (events && !/^[a-z_]{1,40}$/.test(names.subject)) {
    throw new Error(
      `The kinds of events have at most 40 characters and no digits, and these would be called "${names.subject}.created": say what one member is called with --singular, or give --no-events.`,
    );
  }
  const parts = [
    ...(singular === undefined ? [] : [`--singular ${singular}`]),
    ...field.map((notation) => `--field '${notation}'`),
    ...(parent === undefined ? [] : [`--parent ${parent}`]),
    ...unique.map((key) => `--unique ${key}`),
    ...(methods.length === 0 ? [] : [`--methods ${methods.join(',')}`]),
    events ? '--events' : '--no-events',
  ];
  const command = `npx nx g @items/tools:collection ${[name, ...parts].join(' ')}`;
  const nested = parent !== undefined && parentColumn !== undefined && { parent, parentColumn };
  return { names, fields, ...nested, unique: keys, methods, events, command };
}

function requireMethods(collection: string, methods: readonly string[]) {
  const wrong = methods.find((method, index) => !METHODS.includes(method) || methods.indexOf(method) !== index);
  if (wrong === undefined) return;
  throw new Error(`methods of "${collection}" names "${wrong}": it takes each of ${METHODS.join(', ')} once.`);
}

/** Parses the options of a command that {@link planCollection} has written into a file. */
export function optionsIn(text: string): CollectionOptions | undefined {
  const [, name, rest = ''] = /npx nx g @items\/tools:collection ([a-z0-9-]+)([^\n`]*)/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, singular] = / --singular ([a-z0-9-]+)/.exec(rest) ?? [];
  const [, parent] = / --parent ([a-z0-9-]+)/.exec(rest) ?? [];
  const field = [...rest.matchAll(/ --field '([^']+)'/g)].map(([, notation = '']) => notation);
  const unique = [...rest.matchAll(/ --unique ([a-z0-9_+]+)/g)].map(([, key = '']) => key);
  const [, methods] = / --methods ([a-z,]+)/.exec(rest) ?? [];
  return {
    name,
    field,
    events: !rest.includes(' --no-events'),
    ...(singular !== undefined && { singular }),
    ...(parent !== undefined && { parent }),
    ...(unique.length > 0 && { unique }),
    ...(methods !== undefined && { methods: methods.split(',') }),
  };
}
