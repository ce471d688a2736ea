import { expressRoutes } from './express-routes.js';
import { fastifyRoutes } from './fastify-routes.js';
import type { RouteMethods } from './route-methods.js';

/** What the platforms give the errors to that they find themselves; four parameters are how Express knows it. */
export type ErrorHandler = (error: unknown, request: unknown, response: unknown, next: unknown) => unknown;

/** As much of Nest's `HttpAdapter` as is needed; it may be that of another version. */
export interface HttpAdapterLike {
  getType(): string;
  getInstance(): unknown;
  setErrorHandler?: (handler: ErrorHandler, prefix?: string) => unknown;
  reply?: (response: unknown, body: unknown, status?: number) => unknown;
}

/** The order in which `Allow` lists methods. */
const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Reads what the app serves from the router itself, so that nothing has to be declared twice. */
export function routeMethodsOf(adapter: HttpAdapterLike): RouteMethods {
  return adapter.getType() === 'fastify' ? fastifyRoutes(adapter.getInstance()) : expressRoutes(adapter.getInstance());
}

/**
 * The value of `Allow` for a request that the app has no handler for.
 * @param url the request target: `/cats/1?x=y`.
 * @returns undefined where the path itself is unknown.
 * @see SPEC §4 rule 3, RFC 9110 §10.2.1
 */
export function allowAt(url: string, methodsAt: RouteMethods): string | undefined {
  const methods = methodsAt(/^[^?#]*/.exec(url)?.[0] ?? '');
  const allow = ORDER.filter((method) => methods.has(method)).join(', ');
  return allow === '' ? undefined : allow;
}
