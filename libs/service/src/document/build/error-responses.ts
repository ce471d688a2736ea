import { type ApiError, ERROR_CODES, MAX_DETAILS } from '@items/conventions';
import type { JsonSchema } from '@items/fields';
import { STATUS_CODES } from 'node:http';

import { freeName } from '../component-names.js';
import { pascal } from '../description/collection-names.js';
import type { ErrorForm } from '../description/operation.js';
import { hasAnyCode } from '../description/collection-operations.js';
import { schemaRef } from '../description/media-types.js';
import type { Components } from './components.js';
import { generalHeaders, headerRefs, rateLimitHeaders } from './headers.js';
import type { Content, Presence, Presences, Reference, ResponseObject } from '../openapi-document.js';

const CODE = { type: 'string', maxLength: 64, pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$' };

export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'The same, byte for byte, for the same request.',
    properties: {
      error: { type: 'string', maxLength: 4096, description: 'A sentence for people.' },
      code: schemaRef('ErrorCode'),
      details: { type: 'array', minItems: 1, maxItems: MAX_DETAILS, items: schemaRef('ErrorDetail') },
    },
    required: ['error', 'code'],
    additionalProperties: false,
  },
  ErrorDetail: {
    type: 'object',
    description: 'One thing that is wrong with one field; an error has them sorted by field.',
    properties: {
      field: { type: 'string', maxLength: 1024, description: 'Path of the field, or name of the query parameter.' },
      code: { ...CODE, description: 'Stable: what programs branch on.' },
      message: { type: 'string', maxLength: 4096, description: 'A sentence for people that names the field.' },
      params: schemaRef('ErrorParams'),
    },
    required: ['field', 'code', 'message'],
    additionalProperties: false,
  },
  ErrorParams: {
    type: 'object',
    description:
      'What the value has missed: too_long {max}, too_short {min}, too_many {max}, too_few {min}, out_of_range {min?, max?}, ' +
      'too_many_decimals {max}, not_allowed {values} where there is a list.',
    properties: {
      min: { type: 'number', format: 'double' },
      max: { type: 'number', format: 'double' },
      values: { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 256 } },
    },
    additionalProperties: false,
  },
};

/** @param isOpen Whether rules of collections may throw undeclared codes. */
export function errorCodeSchema(used: ReadonlySet<string>, isOpen: boolean): JsonSchema {
  const description = 'Stable: what programs branch on. A later version of the service may add codes.';
  if (isOpen) return { ...CODE, examples: [...used].sort(), description };
  return { type: 'string', enum: [...new Set([...ERROR_CODES, ...used])].sort(), description };
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'Malformed request, header, query or body.',
  401: 'Missing or bad credentials.',
  403: 'Valid credentials, operation not permitted; or credentials over plain HTTP.',
  404: 'No such resource or id.',
  405: 'Right URL, unsupported method.',
  408: 'The request did not arrive in time.',
  409: 'Contradicts another request or the state of the resource.',
  412: 'The resource is in another state than the request was made for.',
  413: 'The body is too large.',
  415: 'The body is not plain JSON.',
  417: 'An expectation that the service cannot meet.',
  422: 'Valid JSON, but its content is invalid.',
  429: 'The quota is used up.',
  431: 'The headers are too large.',
  500: 'Internal server error.',
  503: 'Overloaded, or without its database.',
};

/** Statuses that may occur before the request counts against the quota. */
const BEFORE_QUOTA = new Set([400, 408, 417, 431, 500, 503]);

export interface ErrorContext {
  readonly name: string;
  /** Presence of the quota headers. Undefined without a quota. */
  readonly rateLimit: Presence | undefined;
  /** Error format; undefined for the common one of SPEC §7. */
  readonly form: ErrorForm | undefined;
}

export function errorResponses(
  errors: readonly ApiError[],
  context: ErrorContext,
  components: Components,
): Record<string, Reference> {
  const statuses = [...new Set(errors.map((error) => error.status))].sort((a, b) => a - b);
  const responses = statuses.map((status) => {
    const same = errors.filter((error) => error.status === status);
    const name = pascal((STATUS_CODES[status] ?? '').split(' '));
    return [status, components.responses.put(name, errorResponse(status, same, context, components), context.name)];
  });
  return Object.fromEntries(responses) as Record<string, Reference>;
}

function errorResponse(
  status: number,
  errors: readonly ApiError[],
  { name, rateLimit, form }: ErrorContext,
  components: Components,
): ResponseObject {
  const quota = rateLimitHeaders(rateLimit === 'always' && BEFORE_QUOTA.has(status) ? 'sometimes' : rateLimit);
  const headers = { ...generalHeaders(components.api), ...quota, ...form?.headers, ...ownHeaders(errors) };
  components.putSchemas(form?.schemas ?? {});
  return {
    description: MEANINGS[status] ?? '',
    headers: headerRefs(headers, components),
    content: form === undefined ? errorContent(errors, name, components) : form.content(errors),
  };
}

function errorContent(errors: readonly ApiError[], name: string, components: Components): Content {
  const bodies = [...new Map(errors.map((error) => [JSON.stringify(error.toBody()), error.toBody()])).values()];
  const codes = [...new Set(bodies.map(({ code }) => code))];
  const isOpen = errors.some(hasAnyCode);
  if (isOpen) components.hasOpenCodes = true;
  const code = isOpen ? { type: 'string' } : { type: 'string', enum: codes };
  const examples: Record<string, Reference> = {};
  for (const used of codes) components.codes.add(used);
  for (const value of bodies) {
    const reference = components.examples.put(value.code, { summary: value.error, value }, name);
    examples[freeName(value.code, (key) => key in examples, '.')] = reference;
  }
  return {
    'application/json': {
      schema: { allOf: [schemaRef('Error'), { type: 'object', properties: { code }, required: ['code'] }] },
      examples,
    },
  };
}

function ownHeaders(errors: readonly ApiError[]): Presences {
  const names = [...new Set(errors.flatMap(({ headers }) => Object.keys(headers)))];
  const presence = (name: string): Presence =>
    errors.every(({ headers }) => name in headers) ? 'always' : 'sometimes';
  return Object.fromEntries(names.map((name) => [name, presence(name)]));
}
