import { parseArgument } from './argument.ts';
import { FIELD_TYPES, type Argument, type FieldType } from './field-types.ts';

const NOTATION = /^([^:?]+):([a-z-]+)(?:\(([^()]*)\))?(\?|=[^:]*)?((?::[a-z]+)*)$/;
const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** Maximum length of a name, as in `@items/service`. */
const LONGEST = 50;
/** The service treats query parameters of these names as leaked credentials. */
const NO_FILTERS = ['api_key', 'apikey', 'access_token', 'refresh_token', 'token', 'password', 'client_secret'];
/** Maximum length of a sortable text: longer ones do not fit into a cursor. */
const MAX_SORTABLE_TEXT = 450;
const MOST_FIELDS = 30;
const MODIFIERS = ['filter', 'unsorted', 'keep'];

export interface Field {
  name: string;
  /** The field as on the command line. */
  notation: string;
  typeName: string;
  type: FieldType;
  argument: Argument;
  optional: boolean;
  /** Default value, as a literal in TypeScript. */
  fallback?: string;
  sortable: boolean;
  filtered: boolean;
}

/**
 * @param notations such as `color:string?:filter`.
 * @throws {Error} The message names the invalid field.
 */
export function parseFields(notations: readonly string[]): Field[] {
  if (notations.length === 0) {
    throw new Error('A collection has at least one field: --field name:string');
  }
  if (notations.length > MOST_FIELDS) throw new Error(`A collection has at most ${MOST_FIELDS} fields.`);
  const fields = notations.map(parseField);
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`The field "${twice.name}" is given twice.`);
  return fields;
}

function parseField(notation: string): Field {
  const [, name, typeName, within, presence = '', modifiers = ''] = NOTATION.exec(notation) ?? [];
  if (name === undefined || typeName === undefined) {
    throw new Error(`A field is written name:type, such as name:string or weight:number?, not "${notation}".`);
  }
  requireName(name);
  const type = Object.hasOwn(FIELD_TYPES, typeName) ? FIELD_TYPES[typeName] : undefined;
  if (type === undefined) {
    const types = Object.keys(FIELD_TYPES).join(', ');
    throw new Error(`The field "${name}" has one of these types: ${types}; not "${typeName}".`);
  }
  const chosen = modifiers.split(':').slice(1);
  const unknown = chosen.find((modifier) => !MODIFIERS.includes(modifier));
  if (unknown !== undefined)
    throw new Error(`After its type, "${name}" may have ":filter", ":unsorted" or ":keep", not ":${unknown}".`);
  const keep = chosen.includes('keep');
  if (keep && typeName !== 'reference') throw new Error(`":keep" belongs to references; "${name}" is ${typeName}.`);
  const filtered = chosen.includes('filter') || type.alwaysFiltered === true;
  if (filtered) requireFilter(name, typeName, type);
  const argument = { ...parseArgument(name, typeName, within), ...(keep && { keep }) };
  const sortable = type.sortable === true && !chosen.includes('unsorted');
  if (sortable && (argument.max ?? 0) > MAX_SORTABLE_TEXT)
    throw new Error(
      `A text that lists are sorted by is at most ${MAX_SORTABLE_TEXT} characters long: give "${name}" ":unsorted".`,
    );
  const optional = presence === '?';
  const fallback = presence.startsWith('=') ? literalOf(name, typeName, argument, presence.slice(1)) : undefined;
  return { name, notation, typeName, type, argument, optional, ...(fallback && { fallback }), sortable, filtered };
}

function requireName(name: string) {
  if (!SNAKE_CASE.test(name)) throw new Error(`A field is named in snake_case, such as "unit_price", not "${name}".`);
  if (name.length > LONGEST)
    throw new Error(`A field's name has at most ${LONGEST} characters; "${name}" has ${name.length}.`);
  if (name === 'constructor') throw new Error('A class has "constructor" already: give the field another name.');
}

function requireFilter(name: string, typeName: string, type: FieldType) {
  if (type.canFilter === undefined) {
    const types = Object.keys(FIELD_TYPES).filter((each) => FIELD_TYPES[each]?.canFilter === true);
    throw new Error(`Lists are filtered by fields of the types ${types.join(', ')}; "${name}" is ${typeName}.`);
  }
  if (NO_FILTERS.includes(name))
    throw new Error(`No filter can be called "${name}": that parameter means something else.`);
}

/** Formats a default in TypeScript. */
function literalOf(name: string, typeName: string, { max, range, words }: Argument, value: string): string {
  const type = FIELD_TYPES[typeName];
  if (type?.fallback === undefined) throw new Error(`A ${typeName} has no default; "${name}" may have "?".`);
  const wrong = new Error(`"${value}" cannot be the default of "${name}".`);
  if (type.fallback === 'boolean') {
    if (value !== 'true' && value !== 'false') throw wrong;
    return value;
  }
  if (type.fallback === 'string') {
    if (!/^\S(.*\S)?$/.test(value) || !/^[\w .-]+$/.test(value)) throw wrong;
    if (words?.includes(value) === false || value.length > (max ?? type.length ?? value.length)) throw wrong;
    return `'${value}'`;
  }
  const [min, most] = range ?? (typeName === 'money' ? ['0', '999999999.99'] : ['-1e15', '1e15']);
  const form = { integer: /^-?\d+$/, money: /^\d+(\.\d{1,2})?$/, number: /^-?\d+(\.\d+)?$/ }[typeName];
  if (!form?.test(value) || Number(value) < Number(min) || Number(value) > Number(most)) throw wrong;
  return String(Number(value));
}
