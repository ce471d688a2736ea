/** Error codes of this service. Codes are added, never renamed. SPEC §7 */
export const ERROR_CODES = [
  'ambiguous_credential',
  'body_too_large',
  'credential_in_url',
  'database_unavailable',
  'delegated_credential',
  'events_incomplete',
  'events_off',
  'expectation_failed',
  'expired_cursor',
  'headers_too_large',
  'https_required',
  'idempotency_key_in_flight',
  'idempotency_key_reused',
  'identity_provider_unavailable',
  'illegal_transition',
  'insufficient_scope',
  'internal_error',
  'invalid_cursor',
  'invalid_header',
  'invalid_query',
  'invalid_range',
  'issuer_unavailable',
  'last_admin',
  'login_refused',
  'maintenance',
  'malformed_body',
  'malformed_request',
  'method_not_allowed',
  'narrowed_login',
  'not_owner',
  'origin_not_allowed',
  'overloaded',
  'password_login_off',
  'precondition_failed',
  'quota_escalation',
  'rate_limited',
  'request_timeout',
  'route_not_found',
  'scope_escalation',
  'secret_not_replayable',
  'setup_done',
  'staff_only',
  'starting',
  'stopping',
  'strategy_unavailable',
  'too_many_api_keys',
  'too_many_failures',
  'too_many_values',
  'too_slow',
  'unauthorized',
  'unavailable',
  'unsupported_api_version',
  'unsupported_media_type',
  'username_taken',
  'validation_failed',
  'weak_etag',
] as const;

/**
 * Codes of violated unique keys, references and parent-child relations. An OpenAPI document lists them only if a route
 * can return them.
 */
export type RelationCode = 'not_unique' | 'has_references' | 'has_children';

/** Codes of errors that have only a status, such as Nest's own exceptions. RFC 9110 §15 */
export const STATUS_CODES = {
  400: 'bad_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  411: 'length_required',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  417: 'expectation_failed',
  418: 'im_a_teapot',
  421: 'misdirected_request',
  422: 'unprocessable_content',
  423: 'locked',
  424: 'failed_dependency',
  428: 'precondition_required',
  429: 'rate_limited',
  431: 'headers_too_large',
  451: 'unavailable_for_legal_reasons',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
  505: 'http_version_not_supported',
} as const;

export type NotFoundCode = `${string}_not_found`;

/** A newer service may send other codes: handle them by their status. SPEC §7, §9 */
export type ErrorCode =
  (typeof ERROR_CODES)[number] | (typeof STATUS_CODES)[keyof typeof STATUS_CODES] | RelationCode | NotFoundCode;

/**
 * Tests whether an `ErrorBody`, or an error of the service or of `@items/client`, has this code.
 * @example
 * if (isCode(error, 'expired_cursor')) restart();
 */
export function isCode<Code extends ErrorCode>(error: unknown, code: Code): error is { readonly code: Code } {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
