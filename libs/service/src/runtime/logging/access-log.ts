import type { FastifyReply, FastifyRequest } from 'fastify';

import { clientAddress } from '../../http/connections/forwarding-headers.js';
import { restedMs } from '../../http/received-request.js';
import { infoLines, type Log } from './log.js';

/** A request that is over. */
export interface EndedAnswer {
  readonly reply: FastifyReply;
  /** The pattern that the router matched; undefined: none. */
  readonly route: string | undefined;
  /** False where the client left first. */
  readonly isComplete: boolean;
  readonly durationMs: number;
}

/** What a service says of its lines. */
export interface AccessLogOptions {
  /**
   * Milliseconds: a request that took longer is a warning, but for 503: what the service lacks says so itself. The time in which it
   * rested does not count: it asked to be kept waiting.
   */
  readonly slowMs: number;
  /** The trace that a request is in; undefined where there are no traces. */
  readonly traceOf?: ((reply: FastifyReply) => TraceFields | undefined) | undefined;
  /** Is called after each request as well. */
  readonly onEnd?: ((ended: EndedAnswer) => void) | undefined;
  /** Returns the caller of a request; undefined without a valid credential. */
  readonly callerOf?: ((request: FastifyRequest) => LoggedCaller | undefined) | undefined;
  /** Whether lines have the address of the client. Default: false. */
  readonly hasAddresses?: boolean;
  /** Start of the routes of health checks. Their 200s are logged at `debug`. */
  readonly healthPrefix?: string;
}

/** Caller of a request, by ids. */
export interface LoggedCaller {
  readonly credentialId: string;
  readonly userId: string | null;
  /** `first-party` for a session; null if no application acts. */
  readonly clientId: string | null;
}

/** A request with the address of its client, which its socket forgets when it closes. */
interface LoggedAnswer extends EndedAnswer {
  readonly address: string | undefined;
}

/** The trace that a line of the log belongs to; ids as W3C Trace Context has them. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

/** By the pattern of a route, of which there are as many as the service has. */
const quotedRoutes = new Map<string, string>();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Writes one line for each request when its response has gone out, or its client has. It names the route's pattern, not
 * the URL: a credential that somebody put there must not end up in the log.
 * @returns a function that is called with each request as it begins, and with when it arrived where it had to wait.
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
      const ended: LoggedAnswer = { reply, route, isComplete: response.writableFinished, durationMs, address };
      const isSlow = durationMs >= slowMs && durationMs - restedMs(response.req) >= slowMs;
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
 * Every request writes a line, and pino takes 8 µs for one where this takes 1; all other lines are pino's. Ids have no
 * character that JSON writes otherwise, and methods are those that Node knows.
 */
function lineWriter(log: Log, { traceOf, callerOf }: AccessLogOptions): (ended: LoggedAnswer) => void {
  const write = infoLines(log);
  return (ended) => {
    const { reply, route, isComplete, durationMs, address } = ended;
    const { request } = reply;
    // Few pieces: each is looked up again when the line becomes bytes.
    let line = ',"request_id":"' + request.id + '","method":"' + request.method;
    line += route === undefined ? '","status":' : (quotedRoutes.get(route) ?? quoted(route));
    // From whole numbers: to write a fraction takes three times as long.
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

/** A route with what stands around it in a line. */
function quoted(route: string): string {
  const text = `","route":${JSON.stringify(route)},"status":`;
  quotedRoutes.set(route, text);
  return text;
}

/** The resource that a path names, the last of several; nothing else that stands in a path. */
function resourceOf(params: unknown): string | undefined {
  let last: unknown;
  for (const name in params as object) last = (params as Readonly<Record<string, unknown>>)[name];
  return typeof last === 'string' && UUID.test(last) ? last : undefined;
}

/** What a line says; its members in their order. */
interface Fields {
  readonly request_id: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly duration_ms: number;
  readonly resource_id: string | undefined;
  readonly address: string | undefined;
  readonly credential_id: string | undefined;
  readonly user_id: string | undefined;
  readonly client_id: string | undefined;
  readonly aborted: true | undefined;
  readonly trace_id: string | undefined;
  readonly span_id: string | undefined;
}

function fieldsOf(ended: LoggedAnswer, { traceOf, callerOf }: AccessLogOptions): Fields {
  const { reply, route, isComplete, durationMs, address } = ended;
  const { request } = reply;
  const trace = traceOf?.(reply);
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
    trace_id: trace?.trace_id,
    span_id: trace?.span_id,
  };
}
