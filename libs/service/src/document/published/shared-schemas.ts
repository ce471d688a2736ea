import { named } from '../component-names.js';
import { isPart, mapped, type Part, partOf, rebuilt } from './part.js';
import { visitLocations, namesAt, type SchemaLocation } from './schema-locations.js';

/** A read-only field accepts any type in requests, because the service ignores the value. */
const ANY_TYPE: readonly string[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** Adds the implied type to each schema without one. */
export function withTypes(document: Part): Part {
  return partOf(rebuilt(document, withType));
}

function withType(part: Part, name: string): Part {
  // `properties` itself is not a schema, but its members are.
  const type = name === 'properties' || 'type' in part || '$ref' in part ? undefined : typeFrom(part);
  if (type === undefined) return part;
  return type === ANY_TYPE ? { type, items: {}, ...part } : { type, ...part };
}

function typeFrom(part: Part): unknown {
  if ('const' in part) return typeOf(part['const']);
  if (Array.isArray(part['enum'])) {
    const types = [...new Set((part['enum'] as readonly unknown[]).map(typeOf))];
    return types.length === 1 ? types[0] : types;
  }
  if ('properties' in part) return 'object';
  return part['readOnly'] === true ? ANY_TYPE : undefined;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

const REFERENCE_LENGTH = 46;
const OWNERS = ['paths', 'webhooks'] as const;
const KINDS = ['schemas', 'parameters', 'headers', 'responses'] as const;
/** Client generators make a type for each of these components, so a name must be unique across these kinds. */
const TYPED = ['schemas', 'parameters', 'responses'] as const;

/** Makes components of repeated schemas, named after their locations. */
export function withSharedSchemas(document: Part): Part {
  const components = partOf(document['components']);
  const locations = new Map<string, SchemaLocation[]>();
  visitLocations(document, (part, location) => {
    const text = textOf(part);
    if (text !== undefined) locations.set(text, [...(locations.get(text) ?? []), location]);
  });
  const shared = [...locations].filter(([text, all]) => isWorthAName(text, all.length));
  const names = named(
    shared.map(([text, all]) => ({ thing: text, names: isIgnored(text) ? ['Ignored'] : namesAt(all) })),
    (text) => text,
    TYPED.flatMap((kind) => Object.keys(partOf(components[kind]))),
  );
  const replace = (part: Part): Part => {
    const name = names.get(textOf(part) ?? '');
    return name === undefined ? part : { $ref: `#/components/schemas/${name}` };
  };
  // Replace outer schemas first. A replacement inside a schema would change its text, which is a key of `names`.
  const changed = (value: unknown): unknown => replaced(value, replace);
  const own = mapped(partOf(components['schemas']), (schema) => within(schema, changed));
  const added = [...names].map(([text, name]) => [name, within(JSON.parse(text), changed)] as const);
  return {
    ...document,
    ...Object.fromEntries(OWNERS.map((owner) => [owner, changed(document[owner])])),
    components: {
      ...components,
      ...Object.fromEntries(KINDS.map((kind) => [kind, changed(components[kind])])),
      schemas: { ...own, ...Object.fromEntries(added.sort(([a], [b]) => (a < b ? -1 : 1))) },
    },
  };
}

/** @returns undefined if the part cannot become a component. */
function textOf(part: Part): string | undefined {
  const isSchema = ['type', 'oneOf', 'enum', 'readOnly'].some((member) => member in part);
  if (!isSchema || 'in' in part || '$ref' in part) return undefined;
  return JSON.stringify(part);
}

function isWorthAName(text: string, count: number): boolean {
  return count > 1 && count * text.length > text.length + (count + 1) * REFERENCE_LENGTH;
}

function isIgnored(text: string): boolean {
  return text.startsWith(JSON.stringify({ type: ANY_TYPE }).slice(0, -1));
}

function replaced(value: unknown, replace: (part: Part) => Part): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  if (!isPart(value)) return value;
  const other = replace(value);
  return other === value ? within(value, (member) => replaced(member, replace)) : other;
}

function within(value: unknown, change: (member: unknown) => unknown): unknown {
  return isPart(value) ? mapped(value, change) : value;
}
