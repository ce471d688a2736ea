import type { Collection } from '../document/collection.js';
import type { Model } from '../document/model.js';
import { fill, match, parametersOf } from '../document/paths.js';
import { idOf, text, type Row } from '../service/row.js';

/** A view of the console. Its path is that of the API. */
export type Route =
  | { readonly view: 'list' | 'new'; readonly collection: Collection; readonly path: string }
  | { readonly view: 'member'; readonly collection: Collection; readonly path: string; readonly id: string }
  | { readonly view: 'account' }
  | { readonly view: 'unknown' };

export const ACCOUNT = '/users/me';
/** Ends the path of a form for a new member. No id is this word. */
const NEW = '/new';

export function routeOf(model: Model, path: string): Route {
  if (path === ACCOUNT) return { view: 'account' };
  const list = findList(model, path);
  if (list !== undefined) return { view: 'list', collection: list, path };
  const above = path.slice(0, path.lastIndexOf('/'));
  const parent = findList(model, above);
  if (parent !== undefined && path.endsWith(NEW)) return { view: 'new', collection: parent, path: above };
  const member = model.collections.find(({ memberPath }) => memberPath !== undefined && match(memberPath, path));
  if (member === undefined) return { view: 'unknown' };
  return { view: 'member', collection: member, path, id: path.slice(path.lastIndexOf('/') + 1) };
}

function findList(model: Model, path: string): Collection | undefined {
  return (
    model.collections.find((each) => each.path === path) ?? model.collections.find((each) => match(each.path, path))
  );
}

/**
 * The path of a member.
 * @param listPath The list that shows it.
 * @returns undefined if the member has none that its row and its list tell.
 */
export function memberPath(model: Model, collection: Collection, listPath: string, row: Row): string | undefined {
  if (collection.memberPath !== undefined) {
    return fill(collection.memberPath, [...(match(collection.path, listPath) ?? []), idOf(row)]);
  }
  // A list of all orders shows members that are found below their users.
  const home = model.collections.find((each) => each.singular === collection.singular && each.memberPath !== undefined);
  if (home?.memberPath === undefined) return undefined;
  const values = parametersOf(home.memberPath).map((name) => text(row, name));
  return values.includes('') ? undefined : fill(home.memberPath, values);
}

/** The path of a list below a member. */
export function childPath(child: Collection, member: string): string {
  return member + child.path.slice(child.path.lastIndexOf('/'));
}

/** Fills the parameters of a template with the parts of a member's path at the same positions. */
export function fillLike(template: string, member: string): string {
  const values = member.split('/');
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') ? (values[index] ?? part) : part))
    .join('/');
}
