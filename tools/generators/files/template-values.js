import { withArticle } from '../plan/names.js';

/** The decorators that every class has. */
const ALWAYS = ['ReadOnly'];

/**
 * What the templates are filled with: the names of the collection, and its fields as each file mentions them.
 * @param {import('../plan/plan.js').Plan} plan
 */
export function templateValues(plan) {
  const { names, owned, events, stamp, command } = plan;
  const fields = plan.fields.map(valuesOf);
  const columns = [...(owned ? ['`user_id ${id} NOT NULL`'] : []), ...fields.map(({ column }) => column)];
  const used = fields.flatMap(({ decorators }) => decorators.flatMap((decorator) => decorator.match(WORDS) ?? []));
  return {
    ...names,
    owned,
    events,
    stamp: String(stamp),
    command,
    path: `${owned ? '/users/{user_id}' : ''}/${names.plural}`,
    one: withArticle(names.words),
    migration: `Create${names.types}${stamp}`,
    factory: owned ? 'ownedCollectionRoutes' : 'scopedCollectionRoutes',
    fields,
    decorators: [...new Set([...ALWAYS, ...(owned ? ['RowId'] : []), ...used])].sort(),
    columns,
    sqlTypes: ['id', 'text', 'int', 'float'].filter((sql) => columns.some((column) => column.includes(`\${${sql}}`))),
    sortable: [
      ...plan.fields.filter(({ sortable }) => sortable).map(({ name, optional }) => ({ column: name, optional })),
      ...['created_at', 'updated_at'].map((column) => ({ column, optional: false })),
    ],
    filters: plan.fields.filter(({ filtered }) => filtered).map(({ name }) => name),
    quoted: (/** @type {string[]} */ words) => words.map((word) => `'${word}'`).join(', '),
    capitalised: (/** @type {string} */ words) => words.charAt(0).toUpperCase() + words.slice(1),
  };
}

/** What is imported from `@items/fields` for a decorator. */
const WORDS = /^[A-Z]\w+|\bWITHOUT_COMMA\b/g;

/** @param {import('../plan/fields.js').Field} field */
function valuesOf({ name, type, typeName, optional, sortable, filtered }) {
  const nullable = optional ? '' : ' NOT NULL';
  const withComma = filtered && typeName === 'string';
  return {
    name,
    rule: type.rule,
    optional,
    shown: `${type.shown}${optional ? ' | null' : ''}`,
    decorators: [
      ...(sortable ? ['Sortable()'] : []),
      ...(filtered ? ['Filterable()'] : []),
      ...(optional ? ['Optional()'] : []),
      withComma ? type.decorator.replace('trim: true', 'trim: true, pattern: WITHOUT_COMMA') : type.decorator,
    ],
    column: type.sql === 'smallint' ? `'${name} smallint${nullable}'` : `\`${name} \${${type.sql}}${nullable}\``,
    notation: `${typeName}${optional ? '?' : ''}`,
  };
}
