import { partOf, rebuilt, type Part } from './part.js';

/** Of a field that only the service sets: whatever a client sends back is ignored. */
export const ANY_TYPE: readonly string[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];

/** The same document with a type for each schema that has none and follows from what it has. */
export function withTypes(document: Part): Part {
  return partOf(rebuilt(document, withType));
}

function withType(part: Part, name: string): Part {
  // The members of `properties` are schemas, and it is none itself.
  const type = name === 'properties' || 'type' in part || '$ref' in part ? undefined : typeFrom(part);
  return type === undefined ? part : { type, ...part };
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
