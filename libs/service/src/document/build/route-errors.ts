import { ExpectationFailedError, UnsupportedVersionError } from '../../http/request/edge-errors.js';
import {
  type ApiError,
  BodyTooLargeError,
  ExpiredCursorError,
  HeadersTooLargeError,
  IdempotencyKeyReusedError,
  InternalError,
  InvalidCursorError,
  InvalidHeaderError,
  InvalidQueryError,
  InvalidRangeError,
  MalformedBodyError,
  MalformedRequestError,
  MAX_CREDENTIAL_BODY_BYTES,
  MethodNotAllowedError,
  PreconditionFailedError,
  WeakEtagError,
  RequestTimeoutError,
  ResourceNotFoundError,
  RouteNotFoundError,
  TooManyValuesError,
  UnsupportedMediaTypeError,
} from '@items/conventions';
import { validate, type DtoClass } from '@items/fields';
import { toApiError } from '@items/conventions/answer';
import { TOO_MANY_CONNECTIONS } from '../../http/connections/connections.js';
import { MAX_FILTER_COMBINATIONS } from '@items/paging';
import { requestInProgress, secretNotReplayable } from '../../data/idempotency/idempotency.js';
import { tooSlow } from '../../data/database/too-slow.js';

import { EXAMPLE_ID } from '../description/example.js';
import type { OpenApiOptions } from '../openapi-options.js';
import type { DescribedBody, Route } from '../route.js';

/** Errors of any request before routing. */
export const UNROUTED_ERRORS: readonly ApiError[] = [
  new MalformedRequestError('The URL is not correctly percent-encoded UTF-8.'),
  new RequestTimeoutError(),
  new ExpectationFailedError(),
  new HeadersTooLargeError(),
  new InternalError(),
  TOO_MANY_CONNECTIONS,
];

/** Errors of any request before its handler runs. SPEC §1.3 */
export function refusals({ refusals: own = [] }: OpenApiOptions): readonly ApiError[] {
  return [...UNROUTED_ERRORS, ...own];
}

export const UNKNOWN_PATH: ApiError = new RouteNotFoundError();

export function unknownMethod(allow: string): ApiError {
  return new MethodNotAllowedError(allow);
}

/** Returns the errors of a route in the order of SPEC §1.3. */
export function errorsOf(route: Route, api: OpenApiOptions): readonly ApiError[] {
  return [
    ...refusals(api),
    ...(api.versions === undefined ? [] : [new UnsupportedVersionError(api.versions)]),
    ...route.access.errors,
    ...queryErrors(route),
    ...bodyErrors(route.body),
    ...formErrors(route),
    ...repetitionErrors(route),
    ...resourceErrors(route),
    ...(route.description.errors ?? []),
  ];
}

function queryErrors({ description: { ending, list } }: Route): ApiError[] {
  if (list !== undefined) {
    const unknown = new InvalidQueryError('colour', 'unknown_parameter', '"colour" is not a parameter of this list.');
    const hasFilters = Object.keys(list.filters).length > 0;
    const tooMany = hasFilters ? [new TooManyValuesError(MAX_FILTER_COMBINATIONS)] : [];
    const [ranged] = Object.entries(list.ranges ?? {}).map(([field, { ends }]) => wrongRange(field, ends[0]));
    return [
      unknown,
      ...tooMany,
      ...(ranged ? [ranged] : []),
      new InvalidCursorError(),
      new ExpiredCursorError(),
      tooSlow(),
    ];
  }
  const message = '"color" is not a query parameter of this resource.';
  return ending === 'plain' ? [] : [new InvalidQueryError('color', 'unknown_parameter', message)];
}

function wrongRange(field: string, end = 'min'): InvalidRangeError {
  const name = `${field}_${end}`;
  const message = `"${name}" needs cursor style: leave out "page", and use "limit" and "cursor".`;
  return new InvalidRangeError(name, 'offset_style', message);
}

function bodyErrors(body: DescribedBody | undefined): ApiError[] {
  if (body === undefined) return [];
  return [
    new BodyTooLargeError(body.maxBytes),
    new UnsupportedMediaTypeError(),
    new MalformedBodyError('The request body is not valid JSON.'),
    refusalOf(body.dto),
  ];
}

function formErrors({ description: { form } }: Route): ApiError[] {
  return form === undefined ? [] : [new BodyTooLargeError(MAX_CREDENTIAL_BODY_BYTES)];
}

function refusalOf(body: DtoClass): ApiError {
  try {
    validate(body, { nmae: 'Blue mug' });
  } catch (error) {
    return toApiError(error);
  }
  throw new Error(`${body.name} accepts unknown fields.`);
}

function repetitionErrors({ path, description: { ending, secret } }: Route): ApiError[] {
  if (ending !== 'created') return [];
  const malformed = new InvalidHeaderError('Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.');
  const repeated = secret === true ? [secretNotReplayable(`${path}/${EXAMPLE_ID}`)] : [];
  return [malformed, new IdempotencyKeyReusedError(), requestInProgress(), ...repeated];
}

function resourceErrors({ path, description: { ending, resource } }: Route): ApiError[] {
  const unknown = [
    ...parentErrors(path),
    ...(path.endsWith('}') && resource !== undefined ? [new ResourceNotFoundError(resource)] : []),
  ];
  if (ending !== 'tagged' && ending !== 'replaced' && ending !== 'deleted') return unknown;
  const malformed = new InvalidHeaderError('If-Match must be "*" or a list of entity tags in double quotes.');
  const failed = [
    new PreconditionFailedError(),
    new WeakEtagError(),
    ...(ending === 'tagged' ? [] : [new PreconditionFailedError('If-None-Match')]),
  ];
  return [malformed, ...unknown, ...failed];
}

/** A nested path identifies its parent: `{order_id}` is the id of an order. SPEC §2 rule 2 */
function parentErrors(path: string): ApiError[] {
  const parents = [...path.matchAll(/\{(\w+)_id\}/g)].map(([, parent = '']) => parent.replaceAll('_', ' '));
  return parents.map((parent) => new ResourceNotFoundError(parent));
}
