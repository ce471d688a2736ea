import { MAX_CREDENTIAL_BODY_BYTES, sizeInWords } from '@items/conventions';
import { schemaOf } from '@items/fields';

import { capitalised } from '../description/collection-names.js';
import { json, schemaRef } from '../description/media-types.js';
import { exampleOf } from '../description/example.js';
import type { FormDescription } from '../description/operation.js';
import type { DescribedBody, Route } from '../route.js';
import type { Components } from './components.js';
import { errorResponses, type ErrorContext } from './error-responses.js';
import { generalHeaders, headerRefs, PREFLIGHT_HEADERS, rateLimitHeaders } from './headers.js';
import type { MediaTypeObject, OperationObject, Responses } from '../openapi-document.js';
import { parametersOf } from './parameters.js';
import { errorsOf, refusals, unknownMethod } from './route-errors.js';
import { successResponses } from './success.js';

type RequestBody = NonNullable<OperationObject['requestBody']>;

export function operationFor(route: Route, components: Components): OperationObject {
  const { id, description, access, body } = route;
  const rateLimit = access.counted || description.counted === true ? 'always' : undefined;
  return {
    operationId: id,
    tags: [description.tag],
    summary: description.summary,
    description: [description.description, access.sentence].filter((part) => part !== undefined).join(' '),
    parameters: parametersOf(description, id, components),
    ...(body !== undefined && { requestBody: requestBody(body, components) }),
    ...(description.form !== undefined && { requestBody: formBody(description.form, id, components) }),
    responses: {
      ...successResponses(description, rateLimit, components),
      ...errorResponses(
        errorsOf(route, components.api),
        { name: id, rateLimit, form: description.errorForm },
        components,
      ),
    },
    security: access.security,
    ...(access.scope !== undefined && { 'x-required-scope': access.scope }),
    ...(access.reachedBy !== undefined && { 'x-reached-by': access.reachedBy }),
  };
}

/** Describes OPTIONS and the unsupported methods of a path. */
export function otherMethods(
  path: string,
  allow: string,
  errors: Omit<ErrorContext, 'name'>,
  components: Components,
): Responses {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const headers = {
    ...generalHeaders(components.api),
    // A preflight counts against no quota.
    ...rateLimitHeaders(errors.rateLimit && 'sometimes'),
    Allow: 'always',
    ...PREFLIGHT_HEADERS,
  } as const;
  const refused = [...refusals(components.api), unknownMethod(allow)];
  return {
    204: { description: 'OPTIONS: see `Allow`. Needs no credential.', headers: headerRefs(headers, components) },
    ...errorResponses(refused, { ...errors, name: `others${words.map(capitalised).join('')}` }, components),
  };
}

function formBody({ name, schema, examples }: FormDescription, id: string, components: Components): RequestBody {
  components.schemas.put(name, schema, id);
  const values = Object.entries(examples).map(([summary, value]) => [summary.replaceAll(' ', '_'), { summary, value }]);
  const content = { schema: schemaRef(name), examples: Object.fromEntries(values) as MediaTypeObject['examples'] };
  return {
    required: true,
    description: `A form of at most ${sizeInWords(MAX_CREDENTIAL_BODY_BYTES)}.`,
    content: { 'application/x-www-form-urlencoded': content },
  };
}

function requestBody({ dto, maxBytes }: DescribedBody, components: Components): RequestBody {
  const schema = schemaOf(dto);
  // The suffix `Input` is added only if a different component already has the name.
  const reference = components.schemas.put(dto.name.replace(/Dto$/, ''), schema, 'Input');
  return {
    required: true,
    description: `At most ${sizeInWords(maxBytes)}.`,
    content: json({ ...reference }, exampleOf(schema)),
  };
}
