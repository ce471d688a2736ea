/** A template without the names of its parameters, which differ between a collection and what is below it. */
export function generic(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

/** Whether a path is one step below that of a member. */
export function isBelow(memberPath: string, path: string): boolean {
  const start = `${generic(memberPath)}/`;
  const rest = generic(path);
  return rest.startsWith(start) && !rest.slice(start.length).includes('/');
}

/**
 * Compares a path with a template.
 * @returns the values of the parameters, in their order; undefined if it does not match.
 */
export function match(template: string, path: string): readonly string[] | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const values: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith('{') && value !== '') values.push(value);
    else if (part !== value) return undefined;
  }
  return values;
}

/** Writes values into a template, in the order of its parameters. */
export function fill(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replace(/\{[^{}]*\}/g, () => values[index++] ?? '');
}

export function parametersOf(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

/** The user whose list it is: the first parameter of a path below `/users`. */
export function ownerOf({ path: template }: { readonly path: string }, path: string): string | undefined {
  return parametersOf(template)[0] === 'user_id' ? path.split('/')[2] : undefined;
}
