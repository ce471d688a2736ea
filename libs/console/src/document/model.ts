import type { Action, Collection } from './collection.js';
import { fieldsOf, type Field, type FindTarget } from './field.js';
import { filtersOf, queryParameters, sortsOf } from './filters.js';
import { generic, isBelow } from './paths.js';
import {
  requestSchema,
  resolverOf,
  responseSchema,
  type ApiDocument,
  type Method,
  type Operation,
  type PathItem,
  type Resolve,
  type Schema,
} from './openapi.js';

/** The document as the console uses it. */
export interface Model {
  readonly title: string;
  readonly currency: string | undefined;
  /** In the order of the document's tags. */
  readonly collections: readonly Collection[];
  /** Operations below `/users/me`, which belong to the account. */
  readonly ownActions: readonly Action[];
}

/** Below this path are the things of the signed-in user. */
export const OWN = '/users/me/';

export function modelOf(document: ApiDocument): Model {
  const resolve = resolverOf(document);
  const entries = Object.entries(document.paths);
  const lists = entries.flatMap(([path, { get }]) => {
    const page = get && pageOf(resolve, get);
    return page === undefined ? [] : [{ path, ...page }];
  });
  const listPaths = new Set(lists.map(({ path }) => path));
  const singulars = new Map(lists.map(({ path }) => [singularOf(path), path]));
  // A member below another one cannot be found by its id alone.
  const names = new Map(lists.filter(({ path }) => !path.includes('{')).map(({ path, listName }) => [listName, path]));
  const target: FindTarget = (field, { 'x-references': name }) => {
    if (name !== undefined) return names.get(name);
    return field.endsWith('_id') ? singulars.get(field.slice(0, -'_id'.length)) : undefined;
  };

  function singularOf(path: string): string {
    const get = memberOf(path)?.[1].get;
    const name = get?.operationId ?? '';
    // getApiKey reads an api_key. A list without a path of its members is named by its own path.
    if (name.startsWith('get'))
      return name
        .slice(3)
        .replace(/(?!^)[A-Z]/g, '_$&')
        .toLowerCase();
    return path
      .slice(path.lastIndexOf('/') + 1)
      .replaceAll('-', '_')
      .replace(/s$/, '');
  }

  function memberOf(path: string): [string, PathItem] | undefined {
    return entries.find(([other]) => generic(other) === `${generic(path)}/{}`);
  }

  function actionOf(method: Method, path: string, operation: Operation, known: readonly Field[] = []): Action {
    const schema = requestSchema(resolve, operation);
    const fields = schema === undefined ? [] : fieldsOf(schema, resolve, target, true);
    const title = operation.summary ?? operation.operationId ?? path;
    return { method, path, operation, title, fields, secrets: secretsOf(responseSchema(resolve, operation), known) };
  }

  function collectionOf({ path, listName, row }: (typeof lists)[number]): Collection {
    const item = document.paths[path] ?? {};
    const list = item.get ?? {};
    const [memberPath, member = {}] = memberOf(path) ?? [];
    const fields = fieldsOf(row, resolve, target, false);
    const parameters = queryParameters(resolve, item, list);
    const below = memberPath === undefined ? [] : entries.filter(([other]) => isBelow(memberPath, other));
    return {
      ...{ path, listName, fields, list, memberPath },
      title: list.tags?.[0] ?? listName,
      noun: nounOf(item.post, singularOf(path)),
      singular: singularOf(path),
      sorts: sortsOf(resolve, parameters),
      filters: filtersOf(resolve, parameters),
      hasTotal: parameters.some(({ name }) => name === 'per_page'),
      get: member.get,
      create: item.post && actionOf('post', path, item.post, fields),
      replace: member.put && memberPath !== undefined ? actionOf('put', memberPath, member.put, fields) : undefined,
      remove: member.delete,
      actions: below
        .filter(([other]) => !listPaths.has(other))
        .flatMap(([other, operations]) => actionsOf(other, operations, fields)),
      children: below.map(([other]) => other).filter((other) => listPaths.has(other)),
    };
  }

  function actionsOf(path: string, item: PathItem, known: readonly Field[] = []): readonly Action[] {
    return (['post', 'put', 'delete'] as const).flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [actionOf(method, path, operation, known)];
    });
  }

  const tags = (document.tags ?? []).map(({ name }) => name);
  const rank = ({ title }: Collection): number => (tags.includes(title) ? tags.indexOf(title) : tags.length);
  return {
    title: document.info.title,
    currency: document.info['x-currency'],
    collections: lists.map(collectionOf).sort((one, other) => rank(one) - rank(other)),
    ownActions: entries
      .filter(([path]) => path.startsWith(OWN) && !path.includes('{') && !listPaths.has(path))
      .flatMap(([path, item]) => actionsOf(path, item)),
  };
}

/** Finds the rows of a page: an array of objects in a schema that has `limit` or `per_page`. */
function pageOf(resolve: Resolve, list: Operation): { listName: string; row: Schema } | undefined {
  const schema = responseSchema(resolve, list);
  const page = resolve(schema?.oneOf?.[0]) ?? schema;
  const properties = page?.properties ?? {};
  if (!('limit' in properties || 'per_page' in properties)) return undefined;
  for (const [listName, reference] of Object.entries(properties)) {
    const row = resolve(resolve(reference)?.items);
    if (row?.properties !== undefined) return { listName, row };
  }
  return undefined;
}

/** A response that has all fields of the member and others shows those only once. */
function secretsOf(schema: Schema | undefined, known: readonly Field[]): readonly string[] {
  const names = Object.keys(schema?.properties ?? {});
  const isMember = known.length > 0 && known.every(({ name }) => names.includes(name));
  return isMember ? names.filter((name) => !known.some((field) => field.name === name)) : [];
}

/** `Create an API key` creates an API key. */
function nounOf(create: Operation | undefined, singular: string): string {
  return /^Create an? (.+)$/.exec(create?.summary ?? '')?.[1] ?? singular.replaceAll('_', ' ');
}
