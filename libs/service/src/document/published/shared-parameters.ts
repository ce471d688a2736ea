import { isPart, mapped, partOf, type Part } from './part.js';

/** The same document with each parameter that stands in several places among the components. */
export function withSharedParameters(document: Part): Part {
  const components = partOf(document['components']);
  const entries: Record<string, unknown> = { ...partOf(components['parameters']) };
  const counts = new Map<string, number>();
  eachParameter(document, (parameter) => {
    const text = JSON.stringify(parameter);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return parameter;
  });
  const names = new Map<string, string>();
  const paths = eachParameter(document, (parameter) => {
    const text = JSON.stringify(parameter);
    if ('$ref' in parameter || (counts.get(text) ?? 0) < 2) return parameter;
    const name = names.get(text) ?? freeName(String(parameter['name']), entries);
    names.set(text, name);
    entries[name] = parameter;
    return { $ref: `#/components/parameters/${name}` };
  });
  return { ...document, paths, components: { ...components, parameters: entries } };
}

/** The paths of a document with each parameter by a function. */
function eachParameter(document: Part, change: (parameter: Part) => Part): Part {
  const changed = (list: unknown): unknown[] => (list as readonly unknown[]).map((each) => change(partOf(each)));
  return mapped(partOf(document['paths']), (item) =>
    mapped(partOf(item), (member, name) => {
      if (name === 'parameters') return changed(member);
      if (!isPart(member) || !Array.isArray(member['parameters'])) return member;
      return { ...member, parameters: changed(member['parameters']) };
    }),
  );
}

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  let free = name;
  for (let number = 2; free in taken; number += 1) free = `${name}.${String(number)}`;
  return free;
}
