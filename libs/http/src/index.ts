export { answerConditionally, preconditionOf, UNCONDITIONAL } from './conditional.js';
export type { Conditions } from './conditional.js';
export { TOO_MANY_CONNECTIONS } from './connections.js';
export type { ConnectionLimits, Connections } from './connections.js';
export { Cors } from './cors.js';
export type { CorsOptions, OriginSource } from './cors.js';
export { hasCredentialInUrl } from './credential-in-url.js';
export { createEdge } from './edge.js';
export type { Edge } from './edge.js';
export type { EdgeLog, EdgeOptions, ErrorForm, MaintenanceMode, OverloadListener } from './edge-options.js';
export { fastifyOptions } from './fastify-options.js';
export type { FastifyOptions } from './fastify-options.js';
export { escaped } from './html.js';
export { idempotencyKeyOf } from './idempotency-key.js';
export { installEdge } from './install-edge.js';
export type { Stop } from './install-edge.js';
export { Lifecycle } from './lifecycle.js';
export { MAX_UNACCEPTED } from './limits.js';
export { requireJson } from './media-type.js';
export { networkOf } from './network-of.js';
export { oauthErrorAnswer, oauthErrorOf, sendOauthError } from './oauth-error.js';
export type { OauthErrorBody } from './oauth-error.js';
export { parseJson } from './parse-json.js';
export { queryOf } from './query.js';
export { readBody, readJson, requireSmallBody } from './read-body.js';
export { headOf, pathOf, PLAIN_HEAD, requestIdOf } from './request-head.js';
export type { RequestHead } from './request-head.js';
export type { EdgeHooks, RequestHooks } from './request-hooks.js';
export { queuedAt, rest } from './received-request.js';
export type { RequestQueue } from './request-queue.js';
export { sendErrorText } from './send-error-text.js';
export { streamOf } from './stream-of.js';
export { STOP_AFTER_DELAY_MS, stopTimes } from './shutdown.js';
export type { StopTimes } from './shutdown.js';
export type { ServerOptions } from './server.js';
export type { TranslatedAnswer, Translation } from './translation.js';
export type {
  Change,
  DocumentObject,
  Place,
  Target,
  VersionedAnswer,
  VersionedEvent,
  VersionedRequest,
} from './versions/change.js';
export type { WarmUpOptions } from './warm-up.js';
export { Versions } from './versions/versions.js';
export type { Asking, VersionNotes, VersionsOptions } from './versions/versions.js';
export type { VersionFacts } from './versions/version-table.js';
export { renamedField } from './versions/renamed-field.js';
export type { RenamedField } from './versions/renamed-field.js';
