/** An object of a document, as parsed JSON. */
export type Part = Readonly<Record<string, unknown>>;

/** Members that hold values of the API, and no part of the document. */
const VALUES = new Set(['example', 'examples', 'value', 'default', 'const', 'enum']);

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object, or an empty one. */
export function partOf(value: unknown): Part {
  return isPart(value) ? value : {};
}

/** Each member of an object by a function. */
export function mapped(part: Part, change: (value: unknown, name: string) => unknown): Part {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value, name)]));
}

/** The same document with each object in it by a function, inner ones first; values of the API stay as they are. */
export function rebuilt(value: unknown, change: (part: Part, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => rebuilt(each, change, name));
  if (!isPart(value)) return value;
  const inner = mapped(value, (member, key) =>
    VALUES.has(key) && !isNameOf(name) ? member : rebuilt(member, change, key),
  );
  return change(inner, name);
}

/** Whether the members of an object are named by the API: `properties` may have one that is called `value`. */
function isNameOf(name: string): boolean {
  return name === 'properties';
}
