/**
 * `created_at_min` → `CreatedAtMin`, `X-Request-Id` → `XRequestId`: a valid identifier in all languages of generated
 * clients.
 */
export function pascalCase(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\d/.test(name) ? `N${name}` : name;
}

/** Returns the name. Adds the first free number to a taken name. */
export function freeName(name: string, isTaken: (name: string) => boolean, separator = ''): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}${separator}${String(number)}`;
  return free;
}

/** A thing that needs a component name, and candidates, best first. */
export interface Unnamed<Thing> {
  readonly thing: Thing;
  readonly names: readonly string[];
}

/**
 * Assigns names that are unique regardless of case and independent of the order of `things`. If several things want
 * the same name, none gets it: each tries its next name. A thing without a free name gets a number.
 * @param keyOf Determines the order of numbers.
 */
export function named<Thing>(
  things: readonly Unnamed<Thing>[],
  keyOf: (thing: Thing) => string,
  taken: Iterable<string> = [],
): Map<Thing, string> {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  const found = new Map<Thing, string>();
  let left = [...things].sort((a, b) => (keyOf(a.thing) < keyOf(b.thing) ? -1 : 1));
  for (let rank = 0; left.some(({ names }) => rank < names.length); rank += 1) {
    const wanted = new Map<string, number>();
    for (const { names } of left) {
      const name = names[rank]?.toLowerCase();
      if (name !== undefined) wanted.set(name, (wanted.get(name) ?? 0) + 1);
    }
    for (const { thing, names } of left) {
      const name = names[rank];
      if (name !== undefined && wanted.get(name.toLowerCase()) === 1 && !used.has(name.toLowerCase()))
        found.set(thing, name);
    }
    for (const name of wanted.keys()) used.add(name);
    left = left.filter(({ thing }) => !found.has(thing));
  }
  for (const { thing, names } of left) {
    const name = freeName(names.at(-1) ?? 'Part', (each) => used.has(each.toLowerCase()));
    used.add(name.toLowerCase());
    found.set(thing, name);
  }
  return found;
}
