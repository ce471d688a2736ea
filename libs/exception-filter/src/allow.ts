import { expressRoutes } from './express-routes.js';
import { fastifyRoutes } from './fastify-routes.js';
import type { RouteMethods } from './route-methods.js';

/** A handler for errors of the platform itself. Express recognizes it by its four parameters. */
export type ErrorHandler = (error: unknown, request: unknown, response: unknown, next: unknown) => unknown;

/** The part of Nest's `HttpAdapter` that this file uses, of any version. */
export interface HttpAdapterLike {
  getType(): string;
  getInstance(): unknown;
  setErrorHandler?: (handler: ErrorHandler, prefix?: string) => unknown;
  reply?: (response: unknown, body: unknown, status?: number) => unknown;
}

/** The order of methods in `Allow`. */
const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Reads the served methods from the router, so that no list has to be maintained. */
export function routeMethodsOf(adapter: HttpAdapterLike): RouteMethods {
  return adapter.getType() === 'fastify' ? fastifyRoutes(adapter.getInstance()) : expressRoutes(adapter.getInstance());
}

/**
 * Returns the value of `Allow` for a request without a handler.
 * @param url the request target: `/cats/1?x=y`.
 * @returns undefined if the path is unknown.
 * @see SPEC §4 rule 3, RFC 9110 §10.2.1
 */
export function allowAt(url: string, methodsAt: RouteMethods): string | undefined {
  const methods = methodsAt(/^[^?#]*/.exec(url)?.[0] ?? '');
  const allow = ORDER.filter((method) => methods.has(method)).join(', ');
  return allow === '' ? undefined : allow;
}
