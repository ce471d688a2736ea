import type { Filter } from './collection.js';
import { typesOf } from './field.js';
import type { Operation, Parameter, PathItem, Resolve } from './openapi.js';

/** Parameters of every list. */
const GENERAL = ['sort', 'page', 'per_page', 'limit', 'cursor', 'after', 'wait'];

export function queryParameters(resolve: Resolve, item: PathItem, operation: Operation): readonly Parameter[] {
  return [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    .map((parameter) => resolve(parameter))
    .filter((parameter): parameter is Parameter => parameter?.in === 'query');
}

export function filtersOf(resolve: Resolve, parameters: readonly Parameter[]): readonly Filter[] {
  return parameters.filter(({ name }) => !GENERAL.includes(name)).map((parameter) => filterOf(resolve, parameter));
}

/** The values of `sort`. */
export function sortsOf(resolve: Resolve, parameters: readonly Parameter[]): readonly string[] {
  const schema = resolve(parameters.find(({ name }) => name === 'sort')?.schema);
  const values = schema?.enum ?? resolve(schema?.items)?.enum ?? [];
  return values.filter((value) => value !== null);
}

function filterOf(resolve: Resolve, { name, schema: reference }: Parameter): Filter {
  const schema = resolve(reference) ?? {};
  const value = typesOf(schema).includes('array') ? (resolve(schema.items) ?? {}) : schema;
  const [, field = name, kind = 'equal'] = /^(.*)_(min|max|prefix)$/.exec(name) ?? [];
  const isFlag = typesOf(value).includes('boolean');
  const choices = isFlag ? ['true', 'false'] : (value.enum ?? []).filter((choice) => choice !== null);
  const isNumber = typesOf(value).some((type) => type === 'number' || type === 'integer');
  const plain = isNumber ? 'number' : value.format === 'date-time' ? 'time' : 'text';
  return { name, field, kind: kind as Filter['kind'], type: choices.length > 0 ? 'choice' : plain, choices };
}
