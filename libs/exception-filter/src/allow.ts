import { expressRoutes } from './express-routes.js';
import { fastifyRoutes } from './fastify-routes.js';
import type { RouteMethods } from './route-methods.js';

/** Express recognizes a handler for errors by its four parameters. */
export type ErrorHandler = (error: unknown, request: unknown, response: unknown, next: unknown) => unknown;

export interface HttpAdapterLike {
  getType(): string;
  getInstance(): unknown;
  setErrorHandler?: (handler: ErrorHandler, prefix?: string) => unknown;
  reply?: (response: unknown, body: unknown, status?: number) => unknown;
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Reads the served methods from the router, so that no list has to be maintained. */
export function routeMethodsOf(adapter: HttpAdapterLike): RouteMethods {
  return adapter.getType() === 'fastify' ? fastifyRoutes(adapter.getInstance()) : expressRoutes(adapter.getInstance());
}

/**
 * @param url the request target: `/cats/1?x=y`.
 * @returns undefined if the path is unknown.
 * @see SPEC §4 rule 3, RFC 9110 §10.2.1
 */
export function allowAt(url: string, methodsAt: RouteMethods): string | undefined {
  const methods = methodsAt(/^[^?#]*/.exec(url)?.[0] ?? '');
  const allow = ORDER.filter((method) => methods.has(method)).join(', ');
  return allow === '' ? undefined : allow;
}
