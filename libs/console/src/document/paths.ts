/** Removes the parameter names of a template, which differ between a collection and the paths below it. */
export function generic(template: string): string {
  return template.replace(/\{[^{}]*\}/g, '{}');
}

export function isBelow(memberPath: string, path: string): boolean {
  const start = `${generic(memberPath)}/`;
  const rest = generic(path);
  return rest.startsWith(start) && !rest.slice(start.length).includes('/');
}

/** Returns the parameter values in order; undefined if the path does not match the template. */
export function match(template: string, path: string): readonly string[] | undefined {
  return new RegExp(`^${generic(template).replaceAll('{}', '([^/]+)')}$`).exec(path)?.slice(1);
}

/** Fills a template at or below a path: `/users/{id}/orders` at `/users/u1` becomes `/users/u1/orders`. */
export function pathBelow(above: string, template: string): string {
  return [above, ...template.split('/').slice(above.split('/').length)].join('/');
}

export function splitPath(path: string): [string, string] {
  const cut = path.lastIndexOf('/');
  return [path.slice(0, cut), path.slice(cut + 1)];
}
