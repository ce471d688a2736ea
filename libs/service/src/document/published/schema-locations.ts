import { pascalCase } from '../component-names.js';
import { isPart, type Part, partOf, VALUES } from './part.js';

/** Where a schema occurs. `owner`: the component around it, or ''. Names are in PascalCase. */
export interface SchemaLocation {
  readonly owner: string;
  readonly field: string;
  readonly operation: string;
}

const NOWHERE: SchemaLocation = { owner: '', field: '', operation: '' };

/** Visits all objects that may be schemas, except component schemas themselves. */
export function visitLocations(document: Part, visit: (part: Part, location: SchemaLocation) => void): void {
  const components = partOf(document['components']);
  const inside = (part: Part, location: SchemaLocation): void => {
    for (const [key, member] of Object.entries(part)) if (!VALUES.has(key)) walk(member, key, part, location);
  };
  const walk = (value: unknown, key: string, parent: Part, location: SchemaLocation): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, '', parent, location);
    if (!isPart(value)) return;
    if (key === 'properties') return eachIn(value, (name) => ({ ...location, field: pascalCase(name) }));
    if (key === 'headers')
      return eachIn(value, (name) => ({ ...location, owner: '', field: `${pascalCase(name)}Header` }));
    if (key === 'content')
      return eachIn(value, (type) => ({ ...location, field: `${pascalCase(type.split('/').at(-1) ?? '')}Text` }));
    const isParameter = key === 'schema' && typeof parent['in'] === 'string';
    const own = isParameter
      ? { ...location, owner: '', field: `${pascalCase(String(parent['name']))}Value` }
      : location;
    const { operationId } = value;
    const named = typeof operationId === 'string' ? { ...own, operation: pascalCase(operationId) } : own;
    const here = key === 'items' ? { ...named, field: `${named.field}Item` } : named;
    visit(value, here);
    inside(value, here);
  };
  const eachIn = (parts: Part, locationOf: (name: string) => SchemaLocation): void => {
    for (const [name, part] of Object.entries(parts)) walk(part, '', parts, locationOf(name));
  };
  for (const [name, schema] of Object.entries(partOf(components['schemas'])))
    inside(partOf(schema), { ...NOWHERE, owner: name });
  eachIn(partOf(components['headers']), (name) => ({ ...NOWHERE, field: `${name}Header` }));
  for (const kind of ['parameters', 'responses']) eachIn(partOf(components[kind]), () => NOWHERE);
  for (const owner of ['paths', 'webhooks']) eachIn(partOf(document[owner]), () => NOWHERE);
}

/**
 * Candidate names, best first. The first is the common words of all owners plus the field, such as `ItemName` or
 * `CreatedAt`. Others are an owner plus the field.
 */
export function namesAt(locations: readonly SchemaLocation[]): string[] {
  const owned = locations.filter(({ owner, field }) => owner !== '' && field !== '');
  const [field = ''] = mostFrequent((owned.length > 0 ? owned : locations).map((location) => location.field));
  const owners = [...new Set(owned.filter((location) => location.field === field).map(({ owner }) => owner))].sort(
    byLength,
  );
  if (owners.length === 0) {
    const operations = [...new Set(locations.map(({ operation }) => operation))]
      .filter((name) => name !== '')
      .sort(byLength);
    const end = field === '' ? 'Part' : field;
    return [end, ...(operations.length > 0 ? [commonWords(operations) + end, `${operations[0] ?? ''}${end}`] : [])];
  }
  return [commonWords(owners) + field, ...owners.map((owner) => owner + field)];
}

function commonWords(owners: readonly string[]): string {
  const [first = [], ...others] = owners.map((owner) => owner.match(/[A-Z][a-z0-9]*/g) ?? []);
  return first.filter((word) => others.every((words) => words.some((each) => each === word))).join('');
}

function mostFrequent(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts].flatMap(([text, count]) => (count === most ? text : [])).sort();
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}
