import { isScope } from '@items/contracts';
import type { DtoClass } from '@items/dtos';
import { schemaOf } from '@items/dtos';

import type { AccessRule } from '../../auth/access-rule.js';
import { capitalised } from '../description/collection-names.js';
import { json, schemaRef } from '../description/media-types.js';
import { exampleOf } from '../description/example.js';
import type { Route } from '../route.js';
import type { Components } from './components.js';
import { errorResponses, type ErrorContext } from './error-responses.js';
import { GENERAL_HEADERS, headerRefs, PREFLIGHT_HEADERS, rateLimitHeaders, type Presence } from './headers.js';
import type { OperationObject, Reference, ResponseObject, Responses } from './openapi-document.js';
import { parametersOf } from './parameters.js';
import { errorsOf, REFUSALS, UNROUTED_ERRORS } from './route-errors.js';
import { securityOf } from './security-schemes.js';
import { successResponses } from './success.js';

/** What a route does and answers. */
export function operationFor(route: Route, components: Components): OperationObject {
  const { id, description, access, body } = route;
  const rateLimit = access.counted || description.countsClients === true ? 'always' : undefined;
  const scope = isScope(access.rule) ? access.rule : undefined;
  for (const [name, schema] of Object.entries(description.schemas ?? {})) components.schemas.put(name, schema, id);
  return {
    operationId: id,
    tags: [description.tag],
    summary: description.summary,
    description: [description.description, needed(access.rule)].filter((part) => part !== undefined).join(' '),
    parameters: parametersOf(description, id, components),
    ...(body !== undefined && { requestBody: requestBody(body, id, components) }),
    responses: {
      ...successResponses(description, rateLimit, components),
      ...errorResponses(errorsOf(route), { name: id, rateLimit, form: description.errorForm }, components),
    },
    security: securityOf(access.rule),
    ...(scope !== undefined && { 'x-required-scope': scope }),
  };
}

/** The same without bodies. RFC 9110 §9.3.2 */
export function headOf(get: OperationObject): OperationObject {
  return {
    ...get,
    operationId: `head${capitalised(get.operationId)}`,
    summary: `${get.summary}: headers only`,
    description: `As GET, without a body. ${get.description}`,
    responses: Object.fromEntries(
      Object.entries(get.responses).map(([status, response]) => [status, withoutContent(response)]),
    ),
  };
}

function withoutContent(response: ResponseObject | Reference): ResponseObject | Reference {
  return '$ref' in response ? response : { description: response.description, headers: response.headers };
}

/** @param errors of the path, whatever the method, and how they are told. */
export function optionsOf(
  path: string,
  tags: readonly string[],
  errors: Pick<ErrorContext, 'form'> & { readonly rateLimit: Presence },
  components: Components,
): OperationObject {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const operationId = `options${words.map(capitalised).join('')}`;
  const headers = {
    ...GENERAL_HEADERS,
    ...rateLimitHeaders(errors.rateLimit),
    Allow: 'always',
    ...PREFLIGHT_HEADERS,
  } as const;
  const success: Responses = { 204: { description: 'See `Allow`.', headers: headerRefs(headers, components) } };
  return {
    operationId,
    tags,
    summary: 'Ask which methods there are',
    description: 'Needs no credential; also answers preflights.',
    responses: {
      ...success,
      ...errorResponses([...UNROUTED_ERRORS, ...REFUSALS], { ...errors, name: operationId }, components),
    },
    security: [],
  };
}

function needed(rule: AccessRule): string {
  if (rule === 'public') return 'Needs no credential.';
  const any = 'Needs any valid credential (an API key: with the scope `keys:manage`)';
  if (rule === 'authenticated') return `${any}.`;
  if (rule === 'first-party') return `${any}, but not of an application that acts for a user.`;
  return `Needs the scope \`${rule}\`.`;
}

function requestBody(dto: DtoClass, id: string, components: Components): NonNullable<OperationObject['requestBody']> {
  const schema = schemaOf(dto);
  const name = dto.name.replace(/Dto$/, '');
  components.schemas.put(name, schema, id);
  return { required: true, description: 'At most 1 MiB.', content: json(schemaRef(name), exampleOf(schema)) };
}
