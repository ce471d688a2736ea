import { fieldsOf, type Field, type FindTarget } from './field.js';
import { choicesOf, dereference, requestSchema, responseSchema, typesOf } from './openapi.js';
import type { ApiDocument, Operation, Parameter, PathItem, Schema } from './openapi.js';
import { generic, isBelow, splitPath } from './paths.js';

/** The data of the OpenAPI document that the console uses. */
export type Model = ReturnType<typeof modelOf>;
/** A list of the API, with the operations on its members. */
export type Collection = Model['collections'][number];
export type Action = Model['ownActions'][number];
export type Filter = ReturnType<typeof filterOf>;

/** Path prefix of the resources of the signed-in user. */
export const OWN = '/users/me/';
/** Query parameters of lists that are not filters. */
const GENERAL = ['sort', 'page', 'per_page', 'limit', 'cursor', 'after', 'wait'];

export function modelOf(source: ApiDocument) {
  const document = dereference(source);
  const entries = Object.entries(document.paths);
  const lists = entries.flatMap(([path, { get }]) => {
    const page = get && pageOf(get);
    return page === undefined ? [] : [{ path, ...page }];
  });
  const isList = (path: string): boolean => lists.some((list) => list.path === path);
  const memberOf = (path: string): [string, PathItem] | undefined =>
    entries.find(([other]) => generic(other) === `${generic(path)}/{}`);
  const singularOf = (path: string): string => singular(path, memberOf(path)?.[1].get);
  const singulars = new Map(lists.map(({ path }) => [singularOf(path), path]));
  // Excludes nested collections, because an id alone does not locate their members.
  const names = new Map(lists.filter(({ path }) => !path.includes('{')).map(({ path, listName }) => [listName, path]));
  const target: FindTarget = (field, { 'x-references': name }) => {
    if (name !== undefined) return names.get(name);
    return field.endsWith('_id') ? singulars.get(field.slice(0, -'_id'.length)) : undefined;
  };

  /** @param known Fields of the member that the operation belongs to. */
  function actionsOf(path: string, item: PathItem, known: readonly Field[] = []) {
    return (['post', 'put', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const fields = fieldsOf(requestSchema(operation), target, true);
      const title = operation.summary ?? operation.operationId ?? path;
      // Fields of the response that are shown only once.
      const secrets = secretsOf(responseSchema(operation), known);
      return [{ method, path, operation, title, fields, secrets }];
    });
  }

  function collectionOf({ path, listName, row }: (typeof lists)[number]) {
    const item = document.paths[path] ?? {};
    const list = item.get ?? {};
    const [memberPath, member = {}] = memberOf(path) ?? [];
    const fields = fieldsOf(row, target, false);
    const parameters = [...(item.parameters ?? []), ...(list.parameters ?? [])].filter((each) => each.in === 'query');
    const sort = parameters.find(({ name }) => name === 'sort')?.schema;
    const below = memberPath === undefined ? [] : entries.filter(([other]) => isBelow(memberPath, other));
    const own = memberPath === undefined ? [] : actionsOf(memberPath, member, fields);
    return {
      /** Path templates, such as `/users/{user_id}/orders`. `memberPath` is undefined if members have no path. */
      ...{ path, memberPath },
      ...{ fields, list, get: member.get },
      title: singularOf(path) === 'audit_event' ? 'Changes' : (list.tags?.[0] ?? listName),
      /** Name of a member in sentences: `API key`, from `Create an API key`. */
      noun: /^Create an? (.+)$/.exec(item.post?.summary ?? '')?.[1] ?? singularOf(path).replaceAll('_', ' '),
      /** Type of the object in events: `api_key`. */
      singular: singularOf(path),
      sorts: choicesOf(sort?.items ?? sort ?? {}),
      filters: parameters.filter(({ name }) => !GENERAL.includes(name)).map(filterOf),
      hasTotal: parameters.some(({ name }) => name === 'per_page'),
      create: actionsOf(path, item, fields).find(({ method }) => method === 'post'),
      replace: own.find(({ method }) => method === 'put'),
      remove: own.find(({ method }) => method === 'delete'),
      actions: below.filter(([other]) => !isList(other)).flatMap(([other, each]) => actionsOf(other, each, fields)),
      /** Paths of the lists below a member. */
      children: below.map(([other]) => other).filter(isList),
    };
  }

  const tags = (document.tags ?? []).map(({ name }) => name);
  const rank = ({ list: { tags: [tag = ''] = [] } }: { readonly list: Operation }): number =>
    tags.includes(tag) ? tags.indexOf(tag) : tags.length;
  return {
    title: document.info.title,
    currency: document.info['x-currency'],
    /** In the order of the document's tags. */
    collections: lists.map(collectionOf).sort((one, other) => rank(one) - rank(other)),
    /** Operations of the account view. */
    ownActions: entries
      .filter(([path]) => path.startsWith(OWN) && !path.includes('{') && !isList(path))
      .flatMap(([path, item]) => actionsOf(path, item)),
  };
}

/** Finds the rows of a page: an array of objects in a schema that has `limit` or `per_page`. */
function pageOf(list: Operation): { listName: string; row: Schema } | undefined {
  const schema = responseSchema(list);
  const properties = (schema?.oneOf?.[0] ?? schema)?.properties ?? {};
  if (!('limit' in properties || 'per_page' in properties)) return undefined;
  const found = Object.entries(properties).find(([, property]) => property.items?.properties !== undefined);
  return found && { listName: found[0], row: found[1].items ?? {} };
}

/** Derives `api_key` from the operation id `getApiKey`, otherwise from the path of the list. */
function singular(path: string, get: Operation | undefined): string {
  const [, name] = /^get(.+)$/.exec(get?.operationId ?? '') ?? [];
  if (name !== undefined) return name.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase();
  return splitPath(path)[1].replaceAll('-', '_').replace(/s$/, '');
}

/** If a response has all fields of the member, its other fields are secrets, which are shown only once. */
function secretsOf(schema: Schema | undefined, known: readonly Field[]): readonly string[] {
  const names = Object.keys(schema?.properties ?? {});
  const isMember = known.length > 0 && known.every(({ name }) => names.includes(name));
  return isMember ? names.filter((name) => !known.some((field) => field.name === name)) : [];
}

function filterOf({ name, schema = {} }: Parameter) {
  const value = (typesOf(schema).includes('array') ? schema.items : schema) ?? {};
  const types = typesOf(value);
  const [, field = name, end = 'equal'] = /^(.*)_(min|max|prefix)$/.exec(name) ?? [];
  // All kinds except `equal` need a list that is sorted by the field.
  const kind = end as 'equal' | 'min' | 'max' | 'prefix';
  const choices = types.includes('boolean') ? ['true', 'false'] : choicesOf(value);
  const isNumber = types.includes('number') || types.includes('integer');
  const plain = isNumber ? 'number' : value.format === 'date-time' ? 'time' : 'text';
  return { name, field, kind, choices, type: choices.length > 0 ? 'choice' : plain } as const;
}
