import type { CollectionNames } from '../plan/names.ts';
import type { Field } from '../plan/fields.ts';
import type { Plan } from '../plan/plan.ts';

/** Returns the values for the templates: the names of the collection, and its fields. */
export function templateValues(plan: Plan) {
  const { names, parent, parentColumn, unique, methods, events, command } = plan;
  const fields = plan.fields.map((field) => valuesOf(field, names));
  const used = fields.flatMap(({ decorators }) =>
    decorators.flatMap((decorator) => decorator.match(IMPORTED_NAMES) ?? []),
  );
  const sortable = plan.fields.filter((field) => field.sortable).map(({ name }) => name);
  return {
    ...names,
    parent: parent === undefined || parent === 'users' ? undefined : sourceOf(parent),
    owned: parent === 'users',
    events,
    command,
    path: `${parent === undefined ? '' : `/${parent}/{${parentColumn}}`}/${names.plural}`,
    fields,
    decorators: [...new Set(used)].sort(),
    imports: relatedTo(plan).map(sourceOf),
    sortable: quoted([...sortable, 'created_at', 'updated_at']),
    filters: quoted(plan.fields.filter(({ filtered }) => filtered).map(({ name }) => name)),
    unique: unique.map((key) => (key.length === 1 ? quoted(key) : `[${quoted(key)}]`)).join(', '),
    keys: unique.map((key) => `[${quoted(key)}]`).join(', '),
    methods: quoted(methods),
    replaced: methods.length === 0 || methods.includes('replace'),
  };
}

/** Matches names from `@items/fields` in a decorator, because they must be imported. */
const IMPORTED_NAMES = /^[A-Z]\w+|\bWITHOUT_COMMA\b/g;
/** File of each collection with its own module. */
const IN_MODULES = new Map([
  ['items', 'items/item.collection'],
  ['orders', 'orders/order.collection'],
]);

/** Returns the names of the other collections that a collection refers to, each once. */
export function relatedTo({ names, fields, parent }: Plan) {
  const targets = fields.map(({ argument }) => argument.collection);
  const all = [...targets, ...(parent === 'users' ? [] : [parent])].filter((name) => name !== undefined);
  return [...new Set(all)].filter((name) => name !== names.plural).sort();
}

/** Returns the variable of a collection, and its file without extension below `apps/api/src`. */
export function sourceOf(plural: string) {
  const variable = plural.replaceAll(/-(.)/g, (_, letter) => String(letter).toUpperCase());
  return { variable, file: IN_MODULES.get(plural) ?? plural };
}

function valuesOf(
  { name, type, typeName, notation, argument, optional, fallback, sortable, filtered }: Field,
  names: CollectionNames,
) {
  const { words, collection } = argument;
  const union = words?.map((word) => `'${word}'`).join(' | ');
  const shown = union === undefined ? type.shown : typeName === 'choice' ? union : `(${union})[]`;
  const isSelf = collection === names.plural;
  const variable = collection && `${isSelf ? '() => ' : ''}${sourceOf(collection).variable}`;
  const decorator = type.decorator({ ...argument, ...(variable && { collection: variable }) });
  const withComma = filtered && typeName === 'string';
  return {
    name,
    shown: `${shown}${optional ? ' | null' : ''}`,
    decorators: [
      ...(sortable ? ['Sortable()'] : []),
      ...(filtered ? ['Filterable()'] : []),
      ...(optional ? ['Optional()'] : []),
      ...(fallback === undefined ? [] : [`DefaultsTo(${fallback})`]),
      withComma ? decorator.replace('trim: true', 'trim: true, pattern: WITHOUT_COMMA') : decorator,
    ],
    notation: notation.slice(name.length + 1).replaceAll(/:(?:filter|unsorted)/g, ''),
  };
}

function quoted(words: readonly string[]) {
  return words.map((word) => `'${word}'`).join(', ');
}
