import type { ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { infoSink, type Log } from './log.js';

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
  /** Milliseconds: a request that took longer is a warning, but for 503: what the service lacks says so itself. */
  readonly slowMs: number;
  /** Id of who made a request; undefined: not known, as on the requests that the router could not read. */
  readonly credentialOf: (request: FastifyRequest) => string | undefined;
  /** The trace that a request is in; undefined where there are no traces. */
  readonly traceOf?: ((reply: FastifyReply) => TraceFields | undefined) | undefined;
  /** Is called after each request as well. */
  readonly onEnd?: ((ended: EndedAnswer) => void) | undefined;
}

/** The trace that a line of the log belongs to; ids as W3C Trace Context has them. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
}

/** By the pattern of a route, of which there are as many as the service has. */
const quotedRoutes = new Map<string, string>();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const REPLY = Symbol('reply');
const BEGAN_AT = Symbol('when it began');
type Logged = ServerResponse & { [REPLY]?: FastifyReply; [BEGAN_AT]?: number };

/**
 * Writes one line for each request when its answer has gone out, or its client has. It names the route's pattern, not
 * the URL: a credential that somebody put there must not end up in the log.
 * @returns a function that opens the line of one request, which may have been queued before; what it returns is to be
 * told when the answer is over.
 */
export function accessLog(
  log: Log,
  options: AccessLogOptions,
): (reply: FastifyReply, queuedAtMs?: number) => (response: ServerResponse) => void {
  const { slowMs, onEnd } = options;
  const writeLine = lineWriter(log, options);
  // One function for all requests: it finds its own through the response that it is given.
  const onClose = (response: Logged): void => {
    const { [REPLY]: reply, [BEGAN_AT]: beganAt = 0 } = response;
    if (reply === undefined) return;
    const route = reply.request.routeOptions.config.url;
    const ended = { reply, route, isComplete: response.writableFinished, durationMs: performance.now() - beganAt };
    const isSlow = ended.durationMs >= slowMs && reply.statusCode !== 503;
    if (isSlow) log.warn(fieldsOf(ended, options), 'slow request');
    else writeLine(ended);
    onEnd?.(ended);
  };
  return (reply, queuedAtMs) => {
    const response: Logged = reply.raw;
    response[REPLY] = reply;
    response[BEGAN_AT] = queuedAtMs ?? performance.now();
    return onClose;
  };
}

/**
 * Every request writes a line, and pino takes 8 µs for one where this takes 1; all other lines are pino's. Ids have no
 * character that JSON writes otherwise, and methods are those that Node knows.
 */
function lineWriter(log: Log, options: FieldSources): (ended: EndedAnswer) => void {
  const sink = infoSink(log);
  if (sink === undefined) return (ended) => log.info(fieldsOf(ended, options), 'request');
  return (ended) => {
    const { reply, route, isComplete, durationMs } = ended;
    const { request } = reply;
    const credentialId = options.credentialOf(request);
    const trace = options.traceOf?.(reply);
    // Few pieces: each is looked up again when the line becomes bytes.
    let line = sink.head() + ',"request_id":"' + request.id + '","method":"' + request.method;
    line += route === undefined ? '","status":' : quoted(route);
    line += String(reply.statusCode) + ',"duration_ms":' + inThousandths(durationMs);
    const resourceId = resourceOf(request.params);
    if (resourceId !== undefined) line += `,"resource_id":"${resourceId}"`;
    if (credentialId !== undefined) line += `,"credential_id":${JSON.stringify(credentialId)}`;
    if (!isComplete) line += ',"aborted":true';
    if (trace !== undefined) line += `,"trace_id":"${trace.trace_id}","span_id":"${trace.span_id}"`;
    sink.write(line + ',"msg":"request"}\n');
  };
}

/** With three decimals, from whole numbers: to write a fraction takes three times as long. */
function inThousandths(ms: number): string {
  const thousandths = Math.round(ms * 1000);
  const whole = Math.floor(thousandths / 1000);
  return `${String(whole)}.${String(1000 + thousandths - 1000 * whole).slice(1)}`;
}

/** A route with what stands around it in a line. */
function quoted(route: string): string {
  let text = quotedRoutes.get(route);
  if (text === undefined) quotedRoutes.set(route, (text = `","route":${JSON.stringify(route)},"status":`));
  return text;
}

/** The resource that a path names, the last of several; nothing else that stands in a path. */
function resourceOf(params: unknown): string | undefined {
  let last: unknown;
  for (const name in params as object) last = (params as Readonly<Record<string, unknown>>)[name];
  return typeof last === 'string' && UUID.test(last) ? last : undefined;
}

/** What a line has besides the request. */
type FieldSources = Pick<AccessLogOptions, 'credentialOf' | 'traceOf'>;

/** What a line says; its members in their order. */
interface Fields {
  readonly request_id: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly duration_ms: number;
  readonly resource_id: string | undefined;
  readonly credential_id: string | undefined;
  readonly aborted: true | undefined;
  readonly trace_id: string | undefined;
  readonly span_id: string | undefined;
}

function fieldsOf(
  { reply, route, isComplete, durationMs }: EndedAnswer,
  { credentialOf, traceOf }: FieldSources,
): Fields {
  const { request } = reply;
  const trace = traceOf?.(reply);
  return {
    request_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    resource_id: resourceOf(request.params),
    credential_id: credentialOf(request),
    aborted: isComplete ? undefined : true,
    trace_id: trace?.trace_id,
    span_id: trace?.span_id,
  };
}
