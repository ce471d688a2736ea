import { isPart, mapped, partOf, rebuilt, type Part } from './part.js';

/** A shorter schema is no longer than the reference to it. */
const MIN_LENGTH = 55;
/** What schemas are in. */
const OWNERS = ['paths', 'webhooks'] as const;
const KINDS = ['schemas', 'parameters', 'headers', 'responses'] as const;

/** The same document with each schema that stands in several places among the components, named after its first field. */
export function withSharedSchemas(document: Part): Part {
  const components = partOf(document['components']);
  const counts = new Map<string, { count: number; readonly name: string }>();
  const count = (part: Part, name: string): Part => {
    const text = textOf(part);
    if (text === undefined) return part;
    const known = counts.get(text) ?? { count: 0, name };
    known.count += 1;
    counts.set(text, known);
    return part;
  };
  for (const owner of OWNERS) rebuilt(document[owner], count);
  for (const kind of KINDS) rebuilt(components[kind], count);
  const names = namesFor(counts, new Set(Object.keys(partOf(components['schemas']))));
  const replace = (part: Part): Part => {
    const name = names.get(textOf(part) ?? '');
    return name === undefined ? part : { $ref: `#/components/schemas/${name}` };
  };
  // Whole schemas first: their texts are those that were counted.
  const shared = (value: unknown): unknown => replaced(value, replace);
  const own = mapped(partOf(components['schemas']), (schema) => within(schema, shared));
  const added = Object.fromEntries([...names].map(([text, name]) => [name, within(JSON.parse(text), shared)]));
  return {
    ...document,
    ...Object.fromEntries(OWNERS.map((owner) => [owner, shared(document[owner])])),
    components: {
      ...components,
      ...Object.fromEntries(KINDS.map((kind) => [kind, shared(components[kind])])),
      schemas: { ...own, ...added },
    },
  };
}

/** A schema's text, where it is worth a name of its own. */
function textOf(part: Part): string | undefined {
  const isSchema = ['type', 'oneOf', 'enum', 'readOnly'].some((member) => member in part);
  if (!isSchema || 'in' in part || '$ref' in part) return undefined;
  const text = JSON.stringify(part);
  return text.length < MIN_LENGTH ? undefined : text;
}

function namesFor(
  counts: ReadonlyMap<string, { readonly count: number; readonly name: string }>,
  taken: Set<string>,
): Map<string, string> {
  const names = new Map<string, string>();
  for (const [text, { count, name }] of counts) {
    if (count < 2) continue;
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name}.${String(number)}`;
    taken.add(free);
    names.set(text, free);
  }
  return names;
}

/** Outer schemas before inner ones. */
function replaced(value: unknown, replace: (part: Part) => Part): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  if (!isPart(value)) return value;
  const other = replace(value);
  return other === value ? within(value, (member) => replaced(member, replace)) : other;
}

function within(value: unknown, change: (member: unknown) => unknown): unknown {
  return isPart(value) ? mapped(value, change) : value;
}
