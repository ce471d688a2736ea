interface Entry {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** All routes of the router: the source of `Allow`. SPEC §4 rule 3 */
export class RouteTable {
  private readonly entries = new Map<string, Entry>();

  add(method: string | string[], path: string): void {
    const entry = this.entries.get(path) ?? { pattern: patternOf(path), methods: new Set(['OPTIONS']) };
    for (const each of [method].flat()) entry.methods.add(each);
    this.entries.set(path, entry);
  }

  allowedAt(url: string): string | undefined {
    const path = pathOf(url);
    const methods = [...this.entries.values()]
      .filter((entry) => entry.pattern.test(path))
      .map((entry) => entry.methods);
    return methods.length === 0 ? undefined : listOf(methods);
  }

  /** Returns the paths of collections whose members can be read, such as `/items`. */
  collections(): string[] {
    return [...this.entries.keys()].filter(
      (path) => !path.includes(':') && this.isRead(path) && this.isRead(`${path}/:id`),
    );
  }

  private isRead(path: string): boolean {
    return this.entries.get(path)?.methods.has('GET') === true;
  }

  /** Returns `Allow` for the server as a whole. RFC 9110 §9.3.7 */
  allowedAnywhere(): string {
    return listOf([...this.entries.values()].map((entry) => entry.methods));
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : literal(segment).replace('\\*', '.*')))
    .join('/');
  return new RegExp(`^${source}$`);
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

function listOf(methods: readonly ReadonlySet<string>[]): string {
  return ORDER.filter((method) => methods.some((set) => set.has(method))).join(', ');
}

/** @param url request target in origin or absolute form. RFC 9112 §3.2 */
export function pathOf(url: string): string {
  const [, path = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(url) ?? [];
  return decodeURI(path === '' ? '/' : path);
}
