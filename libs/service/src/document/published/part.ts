export type Part = Readonly<Record<string, unknown>>;

/** Keys whose values are data of the API, not parts of the document. */
export const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'value', 'default', 'const', 'enum']);

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function partOf(value: unknown): Part {
  return isPart(value) ? value : {};
}

export function mapped(part: Part, change: (value: unknown, name: string) => unknown): Part {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value, name)]));
}

/** Maps each object of a document, inner objects first. Skips {@link VALUES}. */
export function rebuilt(value: unknown, change: (part: Part, name: string) => unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => rebuilt(each, change, name));
  if (!isPart(value)) return value;
  const inner = mapped(value, (member, key) =>
    // In `properties`, a key such as `value` is the name of a field.
    VALUES.has(key) && name !== 'properties' ? member : rebuilt(member, change, key),
  );
  return change(inner, name);
}

/** Name of the component that a reference points to. */
export function nameIn({ $ref: reference }: Part): string {
  return String(reference).split('/').at(-1) ?? '';
}
