/** A class with decorators of this library. */
export type DtoClass<T extends object = object> = new () => T;

/** Returns a prototype and its ancestors, the furthest first. */
export function lineage(prototype: object): object[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  return parent === null ? [prototype] : [...lineage(parent), prototype];
}

/** A JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;
