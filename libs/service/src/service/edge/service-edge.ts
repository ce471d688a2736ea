import { pathOf } from '../../http/request/route-table.js';
import { isPreflight } from '../../http/request/cors.js';
import type { ConnectionLimits } from '../../http/connections/connections.js';
import { basePathOf } from '../../http/base-path.js';
import { createEdge, type Edge } from '../../http/edge/edge.js';
import type { EdgeOptions } from '../../http/edge-options.js';
import { FairnessKeys } from '../../http/scheduling/fairness-keys.js';
import { oauthErrorAnswer } from '../../http/request/oauth-error.js';
import { accessLog, type AccessLogOptions, type EndedAnswer } from '../../runtime/logging/access-log.js';
import { type Log } from '../../runtime/logging/log.js';
import { type Maintenance } from '../../runtime/maintenance/maintenance-gate.js';
import { OverloadLog } from '../../runtime/logging/overload-log.js';

import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';
import type { Config } from '../../runtime/config/config.js';
import type { FastifyRequest } from 'fastify';
import { loggedCaller } from '../../access/principal/request-principal.js';
import { pageErrorAnswer } from '../../access/credentials/pages/error-page.js';
import { HEALTH_PREFIX, isLongPoll, showsPages, speaksOauth } from '../../access/exchange/path-prefixes.js';

/** Response headers that pages of other origins may read. SPEC §1.2 */
const EXPOSED = [
  'Api-Version',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

const PARSER_STATUSES: ReadonlySet<number> = new Set([408, 417, 431]);

/** Request headers that pages may send, in addition to the CORS-safelisted ones. SPEC §1.2 */
const ALLOWED = [
  'Api-Version',
  'Authorization',
  'baggage',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'sentry-trace',
  'traceparent',
  'tracestate',
  'X-API-Key',
  'X-Request-Id',
];

export interface ServiceEdgeOptions {
  readonly limits?: ConnectionLimits | undefined;
  /** Headers of the app's own authentication strategies, spelled as the app gave them. */
  readonly ownHeaders?: readonly string[];
  readonly isUpgradable?: EdgeOptions['isUpgradable'];
  readonly maintenance?: Maintenance | undefined;
  readonly traceOf?: AccessLogOptions['traceOf'];
  readonly onEnd?: ((ended: EndedAnswer) => void) | undefined;
}

export function serviceEdge(
  { baseUrl, corsHeaders, corsOrigins, firstPartyRedirects, logAddresses, tls, slowMs, versions }: Config,
  log: Log,
  { limits, ownHeaders = [], isUpgradable, maintenance, traceOf, onEnd }: ServiceEdgeOptions = {},
): Edge {
  return createEdge({
    log,
    isHttps: tls !== undefined,
    cors: {
      origins: [...corsOrigins, ...firstPartyRedirects.map((url) => new URL(url).origin)],
      exposed: EXPOSED,
      allowed: [...ALLOWED, ...ownHeaders, ...corsHeaders],
      isOpenToClients,
    },
    fairnessKeys: new FairnessKeys(ownHeaders),
    versions,
    errorFormAt: (target) => {
      if (showsPages(target)) return pageOrOauthError;
      return speaksOauth(target) ? oauthErrorAnswer : undefined;
    },
    alwaysServed: [HEALTH_PREFIX],
    basePath: basePathOf(baseUrl),
    home: '/docs',
    isLongPoll,
    overload: new OverloadLog(log),
    maintenance,
    logResponse: accessLog(log, {
      slowMs,
      traceOf,
      onEnd,
      callerOf: loggedCaller,
      hasAddresses: logAddresses,
      healthPrefix: HEALTH_PREFIX,
    }),
    ...(isUpgradable && { isUpgradable }),
    ...(limits && { limits }),
  });
}

/** Errors of the HTTP parser (408, 417, 431) concern a program, not its user, so they are sent as JSON. */
function pageOrOauthError(error: ApiError): ErrorAnswer {
  return PARSER_STATUSES.has(error.status) ? oauthErrorAnswer(error) : pageErrorAnswer(error);
}

/**
 * Whether pages of all OAuth clients may read the response. True for OAuth metadata, and for preflights other than
 * those of introspection. SPEC §5.5
 */
function isOpenToClients(request: FastifyRequest): boolean {
  if (request.method !== 'OPTIONS') return request.routeOptions.url?.startsWith('/.well-known/') === true;
  if (!isPreflight(request)) return false;
  try {
    return pathOf(request.raw.url ?? '') !== '/oauth/introspect';
  } catch {
    // Invalid percent-encoding: the edge refuses the request anyway.
    return false;
  }
}
