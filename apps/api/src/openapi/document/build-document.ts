import type { Config } from '../../config/config.js';
import { speaksOauth } from '../../http/oauth-error.js';
import type { Route } from '../route.js';
import { Components } from './components.js';
import { ERROR_SCHEMAS, errorResponses } from './error-responses.js';
import { infoOf, serverOf } from './info.js';
import type { OpenApiDocument, OperationObject, PathItem } from './openapi-document.js';
import { headOf, operationFor, optionsOf } from './operations.js';
import { pathParametersOf } from './parameters.js';
import { UNKNOWN_PATH, unknownMethod, UNROUTED_ERRORS } from './route-errors.js';
import { SECURITY_SCHEMES } from './security-schemes.js';

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];

/** Puts the document together: the same bytes for the same routes and configuration. */
export function buildDocument(
  routes: readonly Route[],
  config: Pick<Config, 'baseUrl' | 'currency' | 'cursorTtlMs'>,
): OpenApiDocument {
  const components = new Components();
  for (const [name, schema] of Object.entries(ERROR_SCHEMAS)) components.schemas.put(name, schema, name);
  const otherPaths = errorResponses(
    [...UNROUTED_ERRORS, UNKNOWN_PATH],
    { name: 'otherPaths', rateLimit: 'sometimes' },
    components,
  );
  const sorted = [...routes].sort(byImportance);
  const paths = [...new Set(sorted.map(({ path }) => path))];
  const items = paths.map((path) => [path, pathItem(path, routes, components)] as const);
  return {
    openapi: '3.1.0',
    info: infoOf(config),
    servers: [serverOf(config.baseUrl)],
    tags: tagsOf(sorted),
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    paths: Object.fromEntries(items) as Record<string, PathItem>,
    components: { securitySchemes: SECURITY_SCHEMES, ...components.toJSON() },
    'x-other-paths': { responses: otherPaths },
  };
}

/** What the service is for comes before what describes and supervises it. */
function byImportance(a: Route, b: Route): number {
  const isPublic = (route: Route): number => Number(route.access.rule === 'public');
  return isPublic(a) - isPublic(b) || (a.path < b.path ? -1 : Number(a.path > b.path));
}

function pathItem(path: string, routes: readonly Route[], components: Components): object {
  const own = routes.filter((route) => route.path === path);
  const operations: Record<string, OperationObject> = {};
  for (const route of own) operations[route.method] = operationFor(route, components);
  if (operations['get'] !== undefined) operations['head'] = headOf(operations['get']);
  const tags = [...new Set(own.map(({ description }) => description.tag))];
  const rateLimit = own.some(({ access }) => access.counted) ? 'always' : 'sometimes';
  const context = { rateLimit, form: speaksOauth(path) ? 'oauth' : undefined } as const;
  operations['options'] = optionsOf(path, tags, context, components);
  const ordered = METHODS.flatMap((method) => (operations[method] === undefined ? [] : [method]));
  const allow = ordered.map((method) => method.toUpperCase()).join(', ');
  const parameters = pathParametersOf(path);
  const others = [...UNROUTED_ERRORS, unknownMethod(allow)];
  return {
    ...(parameters.length > 0 && { parameters }),
    ...Object.fromEntries(ordered.map((method) => [method, operations[method]])),
    'x-other-methods': {
      responses: errorResponses(others, { ...context, name: operations['options'].operationId }, components),
    },
  };
}

function tagsOf(routes: readonly Route[]): OpenApiDocument['tags'] {
  const tags = [...new Set(routes.map(({ description }) => description.tag))];
  return tags.map((name) => {
    const paths = routes.filter(({ description }) => description.tag === name).map(({ path }) => `\`${path}\``);
    return { name, description: [...new Set(paths)].join(', ') };
  });
}
