import { partOf, rebuilt, type Part } from './part.js';

/** The service sets the field itself and ignores any input. */
export const ANY_TYPE: readonly string[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** Adds a type to each schema that lacks one and implies it. */
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
