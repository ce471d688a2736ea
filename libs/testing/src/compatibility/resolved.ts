/** An object of an OpenAPI document, as parsed JSON. */
export type Part = Readonly<Record<string, unknown>>;

/** A part with its document, which resolves its references. */
export interface Resolvable {
  readonly document: Part;
  readonly part: Part;
}

/** Returns the target of the reference, if the part has one. */
export function resolved({ document, part }: Resolvable): Part {
  const { $ref: reference } = part;
  if (typeof reference !== 'string') return part;
  const target = reference
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) => (isPart(at) ? at[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      document,
    );
  if (!isPart(target)) throw new Error(`The reference ${reference} leads nowhere.`);
  return resolved({ document, part: target });
}

/** Merges the schemas of `allOf` into one. */
export function schemaAt(at: Resolvable): Part {
  const schema = resolved(at);
  const all = partsOf(schema['allOf']).map((part) => schemaAt({ document: at.document, part }));
  return all.reduce(
    (whole, each) => ({
      ...whole,
      ...each,
      properties: { ...partOf(whole['properties']), ...partOf(each['properties']) },
      required: [...new Set([...listOf(whole['required']), ...listOf(each['required'])])],
    }),
    schema,
  );
}

/** Returns an empty object for other values. */
export function partOf(value: unknown): Part {
  return isPart(value) ? value : {};
}

/** Returns no objects for other values than lists. */
export function partsOf(value: unknown): readonly Part[] {
  return listOf(value).filter(isPart);
}

/** Returns an empty list for other values. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
