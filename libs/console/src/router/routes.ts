import type { Action, Collection, Model } from '../document/model.js';
import { match, splitPath } from '../document/paths.js';
import { idOf, text, type Row } from '../service/rows.js';

/** A view of the console. It has the same path as its resource in the API. */
export type Route =
  | { readonly view: 'account' | 'unknown' }
  | ({ readonly view: 'list' | 'member' } & Place)
  | ({ readonly view: 'new'; readonly action: Action } & Place);

/** The path of a list or a member. A new member has the path of the list. */
export interface Place {
  readonly collection: Collection;
  readonly path: string;
}

export const ACCOUNT = '/users/me';

export function routeOf({ collections }: Model, path: string): Route {
  if (path === ACCOUNT) return { view: 'account' };
  const findList = (wanted: string): Collection | undefined =>
    collections.find((each) => each.path === wanted) ?? collections.find((each) => match(each.path, wanted));
  const list = findList(path);
  if (list !== undefined) return { view: 'list', collection: list, path };
  // `new` shows the form for a new member, because no id is `new`.
  const [above, last] = splitPath(path);
  const parent = findList(above);
  if (parent?.create && last === 'new') return { view: 'new', collection: parent, action: parent.create, path: above };
  const member = collections.find(({ memberPath }) => memberPath !== undefined && match(memberPath, path));
  return member === undefined ? { view: 'unknown' } : { view: 'member', collection: member, path };
}

/** Returns the path of the member in a row; undefined if the row lacks a parameter of the path. */
export function memberPath({ collections }: Model, collection: Collection, list: string, row: Row): string | undefined {
  if (collection.memberPath !== undefined && !list.includes('{')) return `${list}/${idOf(row)}`;
  // Members of `/orders` have paths below another list: the orders of their user.
  const home = collections.find((each) => each.singular === collection.singular && each.memberPath !== undefined);
  const path = home?.memberPath?.replace(/\{([^{}]*)\}/g, (_, name: string) => text(row, name));
  return path?.split('/').slice(1).includes('') ? undefined : path;
}
