import type { Type } from '@nestjs/common';

import { freeName } from '../component-names.js';
import type { OpenApiOptions } from '../openapi-options.js';
import type { Route } from '../route.js';
import { routesOf } from '../routes-of.js';
import { Components } from './components.js';
import { ERROR_SCHEMAS, errorCodeSchema, errorResponses } from './error-responses.js';
import { generalHeaders, headerRefs, rateLimitHeaders } from './headers.js';
import type {
  OpenApiDocument,
  OperationObject,
  PathItem,
  Presence,
  Responses,
  ServerObject,
} from '../openapi-document.js';
import { operationFor, otherMethods } from './operations.js';
import { pathParametersOf } from './parameters.js';
import { UNKNOWN_PATH, UNROUTED_ERRORS } from './route-errors.js';
import { webhooksOf } from './webhooks.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Builds the OpenAPI document of the controllers from routes and options alone. Apps use `OpenApiModule`.
 * @throws {Error} Two different schemas have the same name, or a header has no description.
 * @example writeFileSync('openapi.json', JSON.stringify(openApiDocument([BooksController], { info })));
 */
export function openApiDocument(controllers: readonly Type[], options: OpenApiOptions): OpenApiDocument {
  const all = controllers.flatMap((controller) => routesOf(controller, options.access, options.isOwn?.(controller)));
  const routes = withUniqueIds(all.sort(byImportance));
  const { info, baseUrl, securitySchemes = {} } = options;
  const components = new Components(options);
  components.putSchemas(ERROR_SCHEMAS);
  for (const { description } of routes) components.putSchemas(description.schemas ?? {});
  const rateLimit = routes.some(({ access }) => access.counted) ? 'sometimes' : undefined;
  const unknownPath = { name: 'otherPaths', rateLimit, form: undefined } as const;
  const otherPaths = {
    ...homeResponses(options, components, rateLimit),
    ...errorResponses([...UNROUTED_ERRORS, UNKNOWN_PATH], unknownPath, components),
  };
  const paths = [...new Set(routes.map(({ path }) => path))];
  const items = paths.map((path) => [path, pathItem(path, routes, rateLimit, components)] as const);
  const webhooks = webhooksOf(routes, components);
  components.schemas.put('ErrorCode', errorCodeSchema(components.codes, components.hasOpenCodes), 'ErrorCode');
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info,
    servers: [serverOf(baseUrl)],
    tags: tagsOf(routes, options.lastTags),
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths: Object.fromEntries(items) as Record<string, PathItem>,
    ...(webhooks !== undefined && { webhooks }),
    components: { securitySchemes, ...components.toJSON() },
    'x-other-paths': { responses: otherPaths },
  };
  return options.finish?.(document) ?? document;
}

/** Numbers repeated operation ids: two controllers may have the same class name. */
function withUniqueIds(routes: readonly Route[]): Route[] {
  const taken = new Set<string>();
  return routes.map((route) => {
    const id = freeName(route.id, (name) => taken.has(name));
    taken.add(id);
    return { ...route, id };
  });
}

/** Describes the redirect of browsers from `/`. SPEC §1.1 */
function homeResponses({ home }: OpenApiOptions, components: Components, rateLimit: Presence | undefined): Responses {
  if (home === undefined) return {};
  const headers = {
    ...generalHeaders(components.api),
    ...rateLimitHeaders(rateLimit),
    Location: 'always',
    Vary: 'always',
  } as const;
  return { 302: { description: `\`/\`, to a browser: see \`${home}\`.`, headers: headerRefs(headers, components) } };
}

function serverOf(url?: string): ServerObject {
  // OpenAPI resolves `/` against the address of the document.
  if (url === undefined) return { url: '/' };
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(url);
  return { url, description: isLocal ? 'Local service' : 'Production service', 'x-internal': isLocal };
}

function byImportance(a: Route, b: Route): number {
  const isOpen = ({ access }: Route): number => Number(access.security.length === 0);
  return isOpen(a) - isOpen(b) || (a.path < b.path ? -1 : Number(a.path > b.path));
}

function pathItem(
  path: string,
  routes: readonly Route[],
  counted: Presence | undefined,
  components: Components,
): object {
  const own = routes.filter((route) => route.path === path);
  const operations: Record<string, OperationObject> = {};
  for (const route of own) operations[route.method] = operationFor(route, components);
  const ordered = METHODS.filter((method) => operations[method] !== undefined);
  const parameters = pathParametersOf(path, components.api);
  const rateLimit = own.some(({ access }) => access.counted) ? 'always' : counted;
  const context = { rateLimit, form: components.api.errorFormAt?.(path) };
  return {
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(ordered.map((method) => [method, operations[method]])),
    'x-other-methods': { responses: otherMethods(path, allowOf(ordered), context, components) },
  };
}

/** Value of `Allow`. The router adds HEAD to each GET, and OPTIONS to each path. SPEC §4.5 */
function allowOf(methods: readonly string[]): string {
  const all = methods.flatMap((method) => (method === 'get' ? ['get', 'head'] : [method]));
  return [...all, 'options'].join(', ').toUpperCase();
}

function tagsOf(routes: readonly Route[], last: readonly string[] = []): OpenApiDocument['tags'] {
  const used = new Set(routes.map(({ description }) => description.tag));
  const tags = [...used].sort((one, other) => last.indexOf(one) - last.indexOf(other));
  return tags.map((name) => {
    const paths = routes.filter(({ description }) => description.tag === name).map(({ path }) => `\`${path}\``);
    return { name, description: [...new Set(paths)].join(', ') };
  });
}
