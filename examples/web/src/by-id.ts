/**
 * Returns an element of the page.
 * @throws {TypeError} if the page has no element of this id and kind.
 */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no ${kind.name} with the id "${id}".`);
}
