import { FIELD_TYPES } from './field-types.js';
import { SQL_WORDS } from './sql-words.js';

const NOTATION = /^([^:?]+):([a-z-]+)(\?)?((?::[a-z]+)*)$/;
const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** Two column names must fit into an index name of 63 characters. See names.js. */
const LONGEST = 24;
/** Names that every row already uses, or that its path contains. */
const TAKEN = ['id', 'created_at', 'updated_at', 'lane', 'seq', 'lane_to', 'seq_to', 'user_id', 'constructor'];
/** Query parameters with another meaning, or that would be taken as a leaked credential. */
const NO_FILTERS = ['page', 'per_page', 'cursor', 'limit', 'sort', 'api_key', 'apikey', 'access_token'].concat([
  'refresh_token',
  'token',
  'password',
  'client_secret',
]);
/** A cursor contains a value of each sort key, and is limited to 4096 characters. */
const MOST_SORTABLE_TEXTS = 2;
const MOST_FIELDS = 30;

/**
 * @typedef {object} Field
 * @property {string} name snake_case.
 * @property {string} notation as on the command line.
 * @property {string} typeName
 * @property {import('./field-types.js').FieldType} type
 * @property {boolean} optional if omitted, the value is null.
 * @property {boolean} sortable
 * @property {boolean} filtered
 */

/**
 * @param {readonly string[]} notations `color:string?:filter`
 * @returns {Field[]}
 * @throws {Error} with a sentence that names the invalid field.
 */
export function parseFields(notations) {
  if (notations.length === 0) {
    throw new Error('A collection has at least one field: --field name:string');
  }
  if (notations.length > MOST_FIELDS) throw new Error(`A collection has at most ${MOST_FIELDS} fields.`);
  const fields = notations.map(parseField);
  const twice = fields.find(({ name }, index) => fields.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`The field "${twice.name}" is given twice.`);
  const texts = fields.filter(({ sortable, typeName }) => sortable && typeName === 'string');
  if (texts.length > MOST_SORTABLE_TEXTS) {
    const names = texts.map(({ name }) => `"${name}"`).join(', ');
    throw new Error(
      `At most ${MOST_SORTABLE_TEXTS} fields of the type string can be sorted by, since a cursor carries their values; ` +
        `${names} are ${texts.length}. Give the others ":unsorted".`,
    );
  }
  return fields;
}

/** @param {string} notation @returns {Field} */
function parseField(notation) {
  const [, name, typeName, optional, flags] = NOTATION.exec(notation) ?? [];
  if (name === undefined || typeName === undefined) {
    throw new Error(`A field is written name:type, such as name:string or weight:number?, not "${notation}".`);
  }
  requireName(name);
  const type = Object.hasOwn(FIELD_TYPES, typeName) ? FIELD_TYPES[typeName] : undefined;
  if (type === undefined) {
    const types = Object.keys(FIELD_TYPES).join(', ');
    throw new Error(`The field "${name}" has one of these types: ${types}; not "${typeName}".`);
  }
  const asked = (flags ?? '').split(':').slice(1);
  const unknown = asked.find((flag) => flag !== 'filter' && flag !== 'unsorted');
  if (unknown !== undefined)
    throw new Error(`After its type, "${name}" may have ":filter" or ":unsorted", not ":${unknown}".`);
  const filtered = asked.includes('filter') || type.filtered === true;
  if (filtered) requireFilter(name, typeName, type);
  const sortable = type.sortable && !asked.includes('unsorted');
  return { name, notation, typeName, type, optional: optional === '?', sortable, filtered };
}

/** @param {string} name */
function requireName(name) {
  if (!SNAKE_CASE.test(name)) throw new Error(`A field is named in snake_case, such as "unit_price", not "${name}".`);
  if (name.length > LONGEST)
    throw new Error(`A field's name has at most ${LONGEST} characters; "${name}" has ${name.length}.`);
  if (TAKEN.includes(name)) throw new Error(`Every row has "${name}" already, or may: give the field another name.`);
  if (SQL_WORDS.has(name)) throw new Error(`"${name}" is a word of SQL: give the field another name.`);
}

/**
 * @param {string} name
 * @param {string} typeName
 * @param {import('./field-types.js').FieldType} type
 */
function requireFilter(name, typeName, type) {
  if (type.filter === undefined) {
    throw new Error(`Lists are filtered by fields of the types string and boolean; "${name}" is ${typeName}.`);
  }
  if (NO_FILTERS.includes(name))
    throw new Error(`No filter can be called "${name}": that parameter means something else.`);
}
