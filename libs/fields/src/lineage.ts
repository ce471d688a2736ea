/** Returns a prototype and its ancestors, the furthest first. */
export function lineage(prototype: object): object[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  return parent === null ? [prototype] : [...lineage(parent), prototype];
}
