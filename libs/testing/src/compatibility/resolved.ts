/** An object of an OpenAPI document, as parsed JSON. */
export type Part = Readonly<Record<string, unknown>>;

/** A part of a document, and the document in which its references lead somewhere. */
export interface Resolvable {
  readonly document: Part;
  readonly part: Part;
}

/** What a part says itself, whatever it refers to. */
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

/** A schema as one: of `allOf` the members and what is required of all together. */
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

/** An object, or an empty one. */
export function partOf(value: unknown): Part {
  return isPart(value) ? value : {};
}

/** The objects of a list; none where it is no list. */
export function partsOf(value: unknown): readonly Part[] {
  return listOf(value).filter(isPart);
}

/** A list; empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
