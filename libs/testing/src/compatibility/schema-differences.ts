import { isPart, listOf, partOf, partsOf, resolved, schemaAt, type Part, type Resolvable } from './resolved.js';

/** Whether clients send or read the values of a schema. */
export type Direction = 'sent' | 'read';

export interface SchemaPair {
  readonly released: Resolvable;
  readonly served: Resolvable;
}

/** Schemas whose list of values may grow in every version, because clients ignore unknown ones. SPEC §9 */
const OPEN_LISTS = ['#/components/schemas/ErrorCode'];
/** Path suffixes of response fields whose list of values may grow too: each collection adds scopes. */
const OPEN_FIELDS = ['the field scopes[]'];
/** Bounds of what a client may send. */
const UPPER = ['maxLength', 'maximum', 'maxItems'] as const;
const LOWER = ['minLength', 'minimum', 'minItems'] as const;
/** A new value counts as breaking, because it may be narrower. Removing the keyword does not. */
const EXACT = ['pattern', 'multipleOf', 'uniqueItems'] as const;
/** Depth at which the comparison of a schema that contains itself ends. No body is as deep. */
const MAX_DEPTH = 12;

/** Returns the differences that a client of the released schema would notice. @param at `the field price`. */
export function schemaDifferences(
  { released, served }: SchemaPair,
  direction: Direction,
  at: string,
  depth = 0,
): string[] {
  if (depth > MAX_DEPTH) return [];
  const [before, now] = [schemaAt(released), schemaAt(served)];
  const unions = [before, now].map((schema) => partsOf(schema['oneOf'] ?? schema['anyOf']));
  const inner: Inner = { released: released.document, served: served.document, direction, depth: depth + 1 };
  if (unions.some((union) => union.length > 0)) return unionDifferences(before, now, inner, at);
  const isOpen =
    OPEN_LISTS.includes(String(released.part['$ref'])) ||
    (direction === 'read' && OPEN_FIELDS.some((field) => at.endsWith(field)));
  return [
    ...typeDifferences(before, now, direction, at),
    ...(isOpen ? [] : valueDifferences(before, now, direction, at)),
    ...(direction === 'sent' ? limitDifferences(before, now, at) : []),
    ...memberDifferences(before, now, inner, at),
    ...elementDifferences(before, now, inner, at),
  ];
}

/** Both documents, for nested schemas. */
interface Inner {
  readonly released: Part;
  readonly served: Part;
  readonly direction: Direction;
  readonly depth: number;
}

function differencesInside(released: Part, served: Part, inner: Inner, at: string): string[] {
  const pair = {
    released: { document: inner.released, part: released },
    served: { document: inner.served, part: served },
  };
  return schemaDifferences(pair, inner.direction, at, inner.depth);
}

function typeDifferences(before: Part, now: Part, direction: Direction, at: string): string[] {
  const [was, is] = [typesOf(before), typesOf(now)];
  const [few, many] = direction === 'sent' ? [was, is] : [is, was];
  const isWider = many.length === 0 || (few.length > 0 && few.every((type) => many.includes(type)));
  const isSameFormat = before['format'] === now['format'] || (direction === 'sent' && now['format'] === undefined);
  return isWider && isSameFormat ? [] : [`${at} was ${wordsOf(before)} and is ${wordsOf(now)}`];
}

/** `const` and `enum` determine types, too. */
function typesOf({ type, enum: values, const: constant }: Part): readonly string[] {
  if (type !== undefined)
    return [type]
      .flat()
      .map(String)
      .flatMap((name) => (name === 'number' ? ['number', 'integer'] : name));
  const all = constant === undefined ? listOf(values) : [constant];
  return [...new Set(all.map((value) => (value === null ? 'null' : typeof value)))];
}

function wordsOf(schema: Part): string {
  const { type = 'anything', format } = schema;
  const types = [type].flat().map(String).join(' or ');
  return typeof format === 'string' ? `${types} (${format})` : types;
}

function valueDifferences(before: Part, now: Part, direction: Direction, at: string): string[] {
  const [was, is] = [valuesOf(before), valuesOf(now)];
  const [few, many] = direction === 'sent' ? [was, is] : [is, was];
  if (many === undefined) return [];
  if (few === undefined)
    return [`${at} ${direction === 'sent' ? 'must now be' : 'need no longer be'} one of ${many.join(', ')}`];
  const other = few.filter((value) => !many.includes(value));
  const verb = direction === 'sent' ? 'can no longer be' : 'can now be';
  return other.map((value) => `${at} ${verb} ${value}`);
}

function valuesOf({ enum: values, const: constant }: Part): readonly string[] | undefined {
  if (constant !== undefined) return [JSON.stringify(constant)];
  return values === undefined ? undefined : listOf(values).map((value) => JSON.stringify(value));
}

function limitDifferences(before: Part, now: Part, at: string): string[] {
  const narrower = (
    names: readonly string[],
    isNarrower: (was: number, is: number) => boolean,
    none: number,
  ): string[] =>
    names.flatMap((name) => {
      const [was, is] = [before[name] ?? none, now[name] ?? none].map(Number);
      return isNarrower(was ?? none, is ?? none)
        ? [`${at} has ${name} ${String(is)} instead of ${was === none ? 'none' : String(was)}`]
        : [];
    });
  return [
    ...narrower(UPPER, (was, is) => is < was, Infinity),
    ...narrower(LOWER, (was, is) => is > was, -Infinity),
    ...EXACT.filter((name) => now[name] !== undefined && now[name] !== false && now[name] !== before[name]).map(
      (name) => `${at} has another ${name}`,
    ),
  ];
}

function memberDifferences(before: Part, now: Part, inner: Inner, at: string): string[] {
  const [was, is] = [partOf(before['properties']), partOf(now['properties'])];
  const prefix = at === '' ? '' : `${at}: `;
  const within = Object.entries(was).flatMap(([name, part]) => {
    const other = is[name];
    if (!isPart(part)) return [];
    if (!isPart(other)) return [`${prefix}the field ${name} is gone`];
    return differencesInside(part, other, inner, `${prefix}the field ${name}`);
  });
  const [few, many] =
    inner.direction === 'sent' ? [now['required'], before['required']] : [before['required'], now['required']];
  const verb = inner.direction === 'sent' ? 'is newly required' : 'may now be left out';
  const changed = listOf(few).filter(
    (name) => !listOf(many).includes(name) && (inner.direction === 'sent' || String(name) in is),
  );
  const isClosed =
    inner.direction === 'sent' && now['additionalProperties'] === false && before['additionalProperties'] !== false;
  const closed = isClosed && before['properties'] !== undefined ? [`${prefix}other fields are refused now`] : [];
  return [...within, ...changed.map((name) => `${prefix}the field ${String(name)} ${verb}`), ...closed];
}

function elementDifferences({ items: was }: Part, { items: is }: Part, inner: Inner, at: string): string[] {
  if (!isPart(was) || !isPart(is)) return [];
  return differencesInside(was, is, inner, `${at}[]`);
}

/** Each form that may be read must match a known one; each form that may be sent must still be accepted. */
function unionDifferences(before: Part, now: Part, inner: Inner, at: string): string[] {
  const [was, is] = [before, now].map((schema) => {
    const union = partsOf(schema['oneOf'] ?? schema['anyOf']);
    return union.length === 0 ? [schema] : union;
  });
  const pairsOf = (one: Part, others: readonly Part[]): string[][] =>
    others.map((other) =>
      inner.direction === 'sent' ? differencesInside(one, other, inner, at) : differencesInside(other, one, inner, at),
    );
  const [each, others] = inner.direction === 'sent' ? [was, is] : [is, was];
  return (each ?? []).flatMap((one) => {
    const [fewest] = pairsOf(one, others ?? []).sort((a, b) => a.length - b.length);
    return fewest ?? [];
  });
}

/** The schema of a parameter or a header. */
export function schemaOfPart(at: Resolvable): Resolvable {
  return { document: at.document, part: partOf(resolved(at)['schema']) };
}
