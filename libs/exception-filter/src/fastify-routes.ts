import type { RouteMethods } from './route-methods.js';

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
    return new Set(routes.filter(({ segments }) => matches(segments, parts)).flatMap(({ methods }) => methods));
  };
}

/** Linear in the path, with any expression in a route. */
function matches(segments: readonly string[], parts: readonly string[]): boolean {
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
