import type { FastifyReply, FastifyRequest } from 'fastify';

import { clientAddress } from '../../http/connections/connection.js';
import { pausedMs } from '../../http/received-request.js';
import { infoLines, type Log } from './log.js';

export interface EndedAnswer {
  readonly reply: FastifyReply;
  readonly route: string | undefined;
  /** False if the client disconnected before the end of the response. */
  readonly isComplete: boolean;
  readonly durationMs: number;
}

export interface AccessLogOptions {
  /**
   * Duration from which a request is logged as a warning, except a 503: other lines log its cause. A long poll's wait
   * does not count.
   */
  readonly slowMs: number;
  readonly traceOf?: ((reply: FastifyReply) => TraceFields | undefined) | undefined;
  readonly onEnd?: ((ended: EndedAnswer) => void) | undefined;
  readonly callerOf?: ((request: FastifyRequest) => LoggedCaller | undefined) | undefined;
  readonly hasAddresses?: boolean;
  /** Prefix of the routes of health checks, whose responses with 200 are logged at `debug`. */
  readonly healthPrefix?: string;
}

export interface LoggedCaller {
  readonly credentialId: string;
  readonly userId: string | null;
  /** `first-party` for sessions and strategies of the app; null: no client. */
  readonly clientId: string | null;
}

/** The address is read early, because a closed socket has none. */
interface LoggedAnswer extends EndedAnswer {
  readonly address: string | undefined;
}

export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

/** Cache by route pattern, so its size is bounded. */
const quotedRoutes = new Map<string, string>();

const SWITCHING_PROTOCOLS = 101;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Logs one line for each request when its response is sent, or its client has disconnected. The line has the pattern of
 * the route instead of the URL, which could contain a credential.
 * @returns a function to call when a request begins. `queuedAtMs`: arrival of a request that had to wait.
 */
export function accessLog(log: Log, options: AccessLogOptions): (reply: FastifyReply, queuedAtMs?: number) => void {
  const { slowMs, onEnd, hasAddresses = false, healthPrefix } = options;
  const writeLine = log.isLevelEnabled('info') ? lineWriter(log, options) : undefined;
  return (reply, beganAtMs = performance.now()) => {
    const response = reply.raw;
    const address = hasAddresses ? clientAddress(response.req) : undefined;
    response.on('close', () => {
      const durationMs = performance.now() - beganAtMs;
      const { url: route } = reply.request.routeOptions.config;
      const ended: LoggedAnswer = {
        reply,
        route,
        isComplete: response.writableFinished || reply.statusCode === SWITCHING_PROTOCOLS,
        durationMs,
        address,
      };
      const isSlow = durationMs >= slowMs && durationMs - pausedMs(response.req) >= slowMs;
      const { statusCode } = reply;
      if (isSlow && statusCode !== 503) log.warn(fieldsOf(ended, options), 'slow request');
      else if (statusCode === 200 && healthPrefix !== undefined && ended.route?.startsWith(healthPrefix) === true) {
        if (log.isLevelEnabled('debug')) log.debug(fieldsOf(ended, options), 'request');
      } else writeLine?.(ended);
      onEnd?.(ended);
    });
  };
}

/**
 * Builds lines by hand for every request: pino takes 8 µs per line, this function 1 µs. Ids and methods contain no
 * characters that JSON escapes.
 */
function lineWriter(log: Log, { traceOf, callerOf }: AccessLogOptions): (ended: LoggedAnswer) => void {
  const write = infoLines(log);
  return (ended) => {
    const { reply, route, isComplete, durationMs, address } = ended;
    const { request } = reply;
    // Concatenate few pieces: each piece is visited again when the line is encoded.
    let line = ',"request_id":"' + request.id + '","method":"' + request.method;
    line += route === undefined ? '","status":' : (quotedRoutes.get(route) ?? quoted(route));
    // Formatting whole numbers is three times as fast as formatting a fraction.
    const thousandths = Math.round(durationMs * 1000);
    const whole = Math.floor(thousandths / 1000);
    const fraction = String(1000 + thousandths - 1000 * whole).slice(1);
    line += String(reply.statusCode) + ',"duration_ms":' + String(whole) + '.' + fraction;
    const resourceId = resourceOf(request.params);
    if (resourceId !== undefined) line += `,"resource_id":"${resourceId}"`;
    if (address !== undefined) line += `,"address":${JSON.stringify(address)}`;
    const caller = callerOf?.(request);
    if (caller !== undefined) line += membersOf(caller);
    if (!isComplete) line += ',"aborted":true';
    const trace = traceOf?.(reply);
    if (trace !== undefined) line += `,"trace_id":"${trace.trace_id}","span_id":"${trace.span_id}"`;
    write(line + ',"msg":"request"}\n');
  };
}

function membersOf({ credentialId, userId, clientId }: LoggedCaller): string {
  let members = `,"credential_id":${JSON.stringify(credentialId)}`;
  if (userId !== null) members += `,"user_id":"${userId}"`;
  if (clientId !== null) members += `,"client_id":"${clientId}"`;
  return members;
}

function quoted(route: string): string {
  const text = `","route":${JSON.stringify(route)},"status":`;
  quotedRoutes.set(route, text);
  return text;
}

/** Only an id is returned: anything else in a path could be a credential. */
function resourceOf(params: unknown): string | undefined {
  let last: unknown;
  for (const name in params as object) last = (params as Readonly<Record<string, unknown>>)[name];
  return typeof last === 'string' && UUID.test(last) ? last : undefined;
}

function fieldsOf(ended: LoggedAnswer, { traceOf, callerOf }: AccessLogOptions): object {
  const { reply, route, isComplete, durationMs, address } = ended;
  const { request } = reply;
  const caller = callerOf?.(request);
  return {
    request_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    resource_id: resourceOf(request.params),
    address,
    credential_id: caller?.credentialId,
    user_id: caller?.userId ?? undefined,
    client_id: caller?.clientId ?? undefined,
    aborted: isComplete ? undefined : true,
    ...traceOf?.(reply),
  };
}
