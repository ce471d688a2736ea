import type { Action, Collection, Model } from '../document/model.js';
import { match, splitPath } from '../document/paths.js';
import { idOf, text, type Row } from '../service/rows.js';

/** A view of the console. Its path is that of the API. */
export type Route =
  | { readonly view: 'account' | 'unknown' }
  | ({ readonly view: 'list' | 'member' } & Place)
  | ({ readonly view: 'new'; readonly action: Action } & Place);

/** The path of a list or a member; that of the list for a new one. */
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
  // No id is this word.
  const [above, last] = splitPath(path);
  const parent = findList(above);
  if (parent?.create && last === 'new') return { view: 'new', collection: parent, action: parent.create, path: above };
  const member = collections.find(({ memberPath }) => memberPath !== undefined && match(memberPath, path));
  return member === undefined ? { view: 'unknown' } : { view: 'member', collection: member, path };
}

/** Undefined if the row, and the path of the list that shows it, do not tell. */
export function memberPath({ collections }: Model, collection: Collection, list: string, row: Row): string | undefined {
  if (collection.memberPath !== undefined && !list.includes('{')) return `${list}/${idOf(row)}`;
  // A list of all orders shows members that are found below their users.
  const home = collections.find((each) => each.singular === collection.singular && each.memberPath !== undefined);
  const path = home?.memberPath?.replace(/\{([^{}]*)\}/g, (_, name: string) => text(row, name));
  return path?.split('/').slice(1).includes('') ? undefined : path;
}
