/** Express recognizes a handler for errors by its four parameters. */
export type ErrorHandler = (error: unknown, request: unknown, response: unknown, next: unknown) => unknown;

export interface HttpAdapterLike {
  getType(): string;
  getInstance(): unknown;
  setErrorHandler?: (handler: ErrorHandler, prefix?: string) => unknown;
  reply?: (response: unknown, body: unknown, status?: number) => unknown;
}

export type RouteMethods = (path: string) => ReadonlySet<string>;

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Reads the served methods from the router, so that the app maintains no list. */
export function routeMethodsOf(adapter: HttpAdapterLike): RouteMethods {
  return adapter.getType() === 'fastify' ? fastifyRoutes(adapter.getInstance()) : expressRoutes(adapter.getInstance());
}

/**
 * Returns the value of `Allow` for a path; undefined if the path is unknown.
 * @param url the request target: `/cats/1?x=y`.
 * @see SPEC §4 rule 3, RFC 9110 §10.2.1
 */
export function allowAt(url: string, methodsAt: RouteMethods): string | undefined {
  const methods = methodsAt(/^[^?#]*/.exec(url)?.[0] ?? '');
  const allow = ORDER.filter((method) => methods.has(method)).join(', ');
  return allow === '' ? undefined : allow;
}

/** Only Express 5 documents `router`; both properties were checked in 4.22.1 and 5.3.0. */
interface ExpressApp {
  readonly router?: { readonly stack: readonly Layer[] };
  /** The router in Express 4, where `router` throws an error. */
  readonly _router?: { readonly stack: readonly Layer[] };
}

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Reads the router at each request, because routes may be added or removed. Does not see nested routers. */
function expressRoutes(instance: unknown): RouteMethods {
  const app = instance as ExpressApp;
  return (path) => {
    const methods = new Set<string>();
    for (const layer of (app._router ?? app.router)?.stack ?? []) {
      if (layer.route === undefined || !matchesLayer(layer, path)) continue;
      for (const [method, served] of Object.entries(layer.route.methods)) if (served) methods.add(method.toUpperCase());
    }
    // Express runs the handler of GET for HEAD.
    return methods.has('GET') ? methods.add('HEAD') : methods;
  };
}

function matchesLayer(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // The path cannot be decoded, so Express itself refuses the request.
  }
}

interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: { method: string | string[]; url: string }) => void): unknown;
}

interface Route {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/** Records the routes as they are added, because Fastify cannot list the methods of a path. */
export function fastifyRoutes(instance: unknown): RouteMethods {
  const routes: Route[] = [];
  (instance as FastifyInstance).addHook('onRoute', ({ method, url }) => {
    // Nest's catch-all route and the CORS routes of plugins are not resources.
    if (url !== '*' && url !== '/*') routes.push({ segments: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const parts = path.split('/');
    return new Set(routes.filter(({ segments }) => matchesPath(segments, parts)).flatMap(({ methods }) => methods));
  };
}

/** Takes linear time, because it ignores regular expressions in a route. */
function matchesPath(segments: readonly string[], parts: readonly string[]): boolean {
  for (const [index, segment] of segments.entries()) {
    if (segment.endsWith('*')) return (parts[index] ?? '').startsWith(segment.slice(0, -1)) && index < parts.length;
    const part = parts[index];
    const isParameter = segment.includes(':');
    if (part === undefined || part === '') {
      if (part === segment || (isParameter && segment.endsWith('?'))) continue;
      return false;
    }
    if (!isParameter && segment !== part) return false;
  }
  return parts.length <= segments.length;
}
