import { isScope } from '@items/contracts';
import { validate, type DtoClass } from '@items/dtos';
import {
  AmbiguousCredentialError,
  type ApiError,
  BodyTooLargeError,
  CredentialInUrlError,
  DelegatedCredentialError,
  ExpectationFailedError,
  ExpiredCursorError,
  HeadersTooLargeError,
  HttpsRequiredError,
  IdempotencyKeyReusedError,
  InsufficientScopeError,
  InternalError,
  InvalidCursorError,
  InvalidHeaderError,
  InvalidQueryError,
  MalformedBodyError,
  MalformedRequestError,
  MethodNotAllowedError,
  NotOwnerError,
  OriginNotAllowedError,
  PreconditionFailedError,
  RateLimitedError,
  RequestTimeoutError,
  ResourceNotFoundError,
  RouteNotFoundError,
  TooManyFailuresError,
  UnsupportedMediaTypeError,
  UnsupportedVersionError,
} from '@items/errors';
import { toApiError } from '@items/exception-filter';

import { FAILURES_PER_ACCOUNT } from '../../accounts/login-failures.js';
import type { AccessRule } from '../../auth/access-rule.js';
import { unauthorized } from '../../auth/challenges.js';
import { databaseUnavailable } from '../../database/database-unavailable.js';
import { TOO_MANY_CONNECTIONS } from '../../http/connections.js';
import { inFlight, secretNotReplayable } from '../../idempotency/idempotency.js';
import { EXAMPLE_ID } from '../description/example.js';
import type { Route } from '../route.js';

/** What may happen before the path is looked at, to any request. */
export const UNROUTED_ERRORS: readonly ApiError[] = [
  new MalformedRequestError('The URL is not correctly percent-encoded UTF-8.'),
  new RequestTimeoutError(),
  new ExpectationFailedError(),
  new HeadersTooLargeError(),
  new InternalError(),
  TOO_MANY_CONNECTIONS,
];

/** What no route takes, whoever sends it. decisions §1 */
export const REFUSALS: readonly ApiError[] = [
  new HttpsRequiredError(),
  new CredentialInUrlError(),
  new AmbiguousCredentialError(),
];

/** What needs the database and does not get it. */
export const DATABASE_UNAVAILABLE: ApiError = databaseUnavailable();

export const UNKNOWN_PATH: ApiError = new RouteNotFoundError();

export function unknownMethod(allow: string): ApiError {
  return new MethodNotAllowedError(allow);
}

/** Every error that a route can answer with, in the order of decisions §1: each follows from what the route is. */
export function errorsOf(route: Route): readonly ApiError[] {
  return [
    ...UNROUTED_ERRORS,
    ...REFUSALS,
    new UnsupportedVersionError(),
    ...databaseErrors(route),
    ...accessErrors(route),
    ...queryErrors(route),
    ...bodyErrors(route.body),
    ...repetitionErrors(route),
    ...resourceErrors(route),
    ...(route.description.errors ?? []),
  ];
}

function databaseErrors({ access }: Route): ApiError[] {
  return access.rule === 'public' ? [] : [DATABASE_UNAVAILABLE];
}

function accessErrors({ path, access: { rule, counted } }: Route): ApiError[] {
  const quota = counted ? [new RateLimitedError(42)] : [];
  if (rule === 'public') return quota;
  const throttled = new TooManyFailuresError(FAILURES_PER_ACCOUNT, 42);
  const owner = path.includes('{user_id}') ? [new NotOwnerError()] : [];
  return [
    unauthorized({ method: 'none' }),
    ...quota,
    throttled,
    ...lackingErrors(rule),
    new OriginNotAllowedError(),
    ...owner,
  ];
}

function lackingErrors(rule: Exclude<AccessRule, 'public'>): ApiError[] {
  if (isScope(rule)) return [new InsufficientScopeError(rule)];
  const ofKeys = new InsufficientScopeError('keys:manage');
  return rule === 'first-party' ? [ofKeys, new DelegatedCredentialError()] : [ofKeys];
}

function queryErrors({ description: { ending, list } }: Route): ApiError[] {
  if (list !== undefined) {
    const unknown = new InvalidQueryError('colour', 'unknown_parameter', '"colour" is not a parameter of this list.');
    return [unknown, new InvalidCursorError(), new ExpiredCursorError()];
  }
  const message = '"color" is not a query parameter of this resource.';
  return ending === 'plain' ? [] : [new InvalidQueryError('color', 'unknown_parameter', message)];
}

function bodyErrors(body: DtoClass | undefined): ApiError[] {
  if (body === undefined) return [];
  return [
    new BodyTooLargeError(),
    new UnsupportedMediaTypeError(),
    new MalformedBodyError('The request body is not valid JSON.'),
    refusalOf(body),
  ];
}

/** What the class itself says to a body with a typing error. */
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
  return [malformed, new IdempotencyKeyReusedError(), inFlight(), ...repeated];
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
    ...(ending === 'tagged' ? [] : [new PreconditionFailedError('If-None-Match')]),
  ];
  return [malformed, ...unknown, ...failed];
}

/** What is nested is below a parent that the path names: `{order_id}` is the id of an order. SPEC §2 rule 2 */
function parentErrors(path: string): ApiError[] {
  const parents = [...path.matchAll(/\{(\w+)_id\}/g)].map(([, parent = '']) => parent.replaceAll('_', ' '));
  return parents.map((parent) => new ResourceNotFoundError(parent));
}
