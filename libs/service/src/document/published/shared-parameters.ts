import { named, pascalCase } from '../component-names.js';
import { isPart, mapped, partOf, type Part } from './part.js';

export function withSharedParameters(document: Part): Part {
  const components = partOf(document['components']);
  const known = partOf(components['parameters']);
  const locations = new Map<string, string[]>();
  eachParameter(document, (parameter, location) => {
    const text = JSON.stringify(parameter);
    if (!('$ref' in parameter)) locations.set(text, [...(locations.get(text) ?? []), location]);
    return parameter;
  });
  const shared = [...locations].filter(([, all]) => all.length > 1);
  const names = named(
    shared.map(([text, all]) => ({ thing: text, names: namesOf(text, all, shared) })),
    (text) => text,
    Object.keys(known),
  );
  const paths = eachParameter(document, (parameter) => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  });
  const added = Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text) as unknown]));
  return { ...document, paths, components: { ...components, parameters: { ...known, ...added } } };
}

/**
 * The variant with the most locations gets the parameter's own name; other variants add the first of their locations.
 */
function namesOf(
  text: string,
  locations: readonly string[],
  all: readonly (readonly [string, readonly string[]])[],
): string[] {
  const nameIn = (parameter: string): string => (JSON.parse(parameter) as { readonly name: string }).name;
  const name = nameIn(text);
  const counts = all.flatMap(([other, its]) => (nameIn(other) === name ? its.length : []));
  const most = Math.max(...counts);
  const isCommon = locations.length === most && counts.filter((count) => count === most).length === 1;
  const [location = ''] = [...locations].sort();
  const longer = pascalCase(name) + pascalCase(location);
  return isCommon ? [pascalCase(name), longer] : [longer];
}

/** @param change Its `location` is the operation id, or the path for a parameter of all operations of the path. */
function eachParameter(document: Part, change: (parameter: Part, location: string) => Part): Part {
  const changed = (list: unknown, location: string): unknown[] =>
    (list as readonly unknown[]).map((each) => change(partOf(each), location));
  return mapped(partOf(document['paths']), (item, path) =>
    mapped(partOf(item), (member, name) => {
      if (name === 'parameters') return changed(member, path);
      if (!isPart(member) || !Array.isArray(member['parameters'])) return member;
      return { ...member, parameters: changed(member['parameters'], String(member['operationId'])) };
    }),
  );
}
