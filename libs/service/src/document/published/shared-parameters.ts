import { named, pascalCase } from '../component-names.js';
import { isPart, mapped, partOf, type Part } from './part.js';

export function withSharedParameters(document: Part): Part {
  const components = partOf(document['components']);
  const known = partOf(components['parameters']);
  const places = new Map<string, string[]>();
  eachParameter(document, (parameter, place) => {
    const text = JSON.stringify(parameter);
    if (!('$ref' in parameter)) places.set(text, [...(places.get(text) ?? []), place]);
    return parameter;
  });
  const shared = [...places].filter(([, all]) => all.length > 1);
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
  places: readonly string[],
  all: readonly (readonly [string, readonly string[]])[],
): string[] {
  const nameIn = (parameter: string): string => (JSON.parse(parameter) as { readonly name: string }).name;
  const name = nameIn(text);
  const counts = all.flatMap(([other, its]) => (nameIn(other) === name ? its.length : []));
  const most = Math.max(...counts);
  const isCommon = places.length === most && counts.filter((count) => count === most).length === 1;
  const [place = ''] = [...places].sort();
  const longer = pascalCase(name) + pascalCase(place);
  return isCommon ? [pascalCase(name), longer] : [longer];
}

/** @param change Its `place` is the operation id, or the path of a parameter that all its operations share. */
function eachParameter(document: Part, change: (parameter: Part, place: string) => Part): Part {
  const changed = (list: unknown, place: string): unknown[] =>
    (list as readonly unknown[]).map((each) => change(partOf(each), place));
  return mapped(partOf(document['paths']), (item, path) =>
    mapped(partOf(item), (member, name) => {
      if (name === 'parameters') return changed(member, path);
      if (!isPart(member) || !Array.isArray(member['parameters'])) return member;
      return { ...member, parameters: changed(member['parameters'], String(member['operationId'])) };
    }),
  );
}
