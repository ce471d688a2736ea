/**
 * Returns the values for the templates: the names of the collection, and its fields.
 * @param {import('../plan/plan.js').Plan} plan
 */
export function templateValues(plan) {
  const { names, owned, events, command } = plan;
  const fields = plan.fields.map(valuesOf);
  const used = fields.flatMap(({ decorators }) => decorators.flatMap((decorator) => decorator.match(WORDS) ?? []));
  const sortable = plan.fields.filter((field) => field.sortable).map(({ name }) => name);
  return {
    ...names,
    owned,
    events,
    command,
    path: `${owned ? '/users/{user_id}' : ''}/${names.plural}`,
    fields,
    decorators: [...new Set(used)].sort(),
    sortable: quoted([...sortable, 'created_at', 'updated_at']),
    filters: quoted(plan.fields.filter(({ filtered }) => filtered).map(({ name }) => name)),
  };
}

/** Names in a decorator to import from `@items/fields`. */
const WORDS = /^[A-Z]\w+|\bWITHOUT_COMMA\b/g;

/** @param {import('../plan/fields.js').Field} field */
function valuesOf({ name, type, typeName, optional, sortable, filtered }) {
  const withComma = filtered && typeName === 'string';
  return {
    name,
    shown: `${type.shown}${optional ? ' | null' : ''}`,
    decorators: [
      ...(sortable ? ['Sortable()'] : []),
      ...(filtered ? ['Filterable()'] : []),
      ...(optional ? ['Optional()'] : []),
      withComma ? type.decorator.replace('trim: true', 'trim: true, pattern: WITHOUT_COMMA') : type.decorator,
    ],
    notation: `${typeName}${optional ? '?' : ''}`,
  };
}

/** @param {readonly string[]} words */
function quoted(words) {
  return words.map((word) => `'${word}'`).join(', ');
}
