import type { RouteMethods } from './route-methods.js';

/** As much of Fastify as is needed. */
interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: { method: string | string[]; url: string }) => void): unknown;
}

interface Route {
  readonly segments: readonly string[];
  readonly methods: readonly string[];
}

/** Listens to the routes as they are added, for Fastify does not tell which methods a path has. */
export function fastifyRoutes(instance: unknown): RouteMethods {
  const routes: Route[] = [];
  (instance as FastifyInstance).addHook('onRoute', ({ method, url }) => {
    // Nest's own answer to requests that nothing else takes, and those of plugins to CORS, are no resource.
    if (url !== '*' && url !== '/*') routes.push({ segments: url.split('/'), methods: [method].flat() });
  });
  return (path) => {
    const parts = path.split('/');
    return new Set(routes.filter(({ segments }) => matches(segments, parts)).flatMap(({ methods }) => methods));
  };
}

/** Segment by segment: linear in the path, whatever the route's own expressions are. */
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
