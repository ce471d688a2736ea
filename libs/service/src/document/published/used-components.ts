import { isPart, mapped, partOf, type Part } from './part.js';

export function withUsedComponents(document: Part): Part {
  const { components: all, ...rest } = document;
  const components = partOf(all);
  const used = new Set<string>();
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) follow(each);
    if (!isPart(value)) return;
    const { $ref: reference, ...members } = value;
    follow(Object.values(members));
    if (typeof reference !== 'string' || used.has(reference)) return;
    used.add(reference);
    const [kind = '', name = ''] = reference.split('/').slice(2);
    follow(partOf(components[kind])[name]);
  };
  follow(rest);
  const kept = mapped(components, (entries, kind) =>
    kind === 'securitySchemes' ? entries : keptOf(partOf(entries), (name) => used.has(`#/components/${kind}/${name}`)),
  );
  return { ...rest, components: keptOf(kept, (kind) => Object.keys(partOf(kept[kind])).length > 0) };
}

function keptOf(part: Part, isKept: (name: string) => boolean): Part {
  return Object.fromEntries(Object.entries(part).filter(([name]) => isKept(name)));
}
