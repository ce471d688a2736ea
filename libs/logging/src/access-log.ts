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
  /** Milliseconds: a request that took longer is a warning. */
  readonly slowMs: number;
  /** Id of who made a request; undefined: not known, as on the requests that the router could not read. */
  readonly credentialOf: (request: FastifyRequest) => string | undefined;
  /** Hears of each request as well. */
  readonly onEnd?: ((ended: EndedAnswer) => void) | undefined;
}

const REPLY = Symbol('reply');
const BEGAN_AT = Symbol('when it began');
type Logged = ServerResponse & { [REPLY]?: FastifyReply; [BEGAN_AT]?: number };

/**
 * Writes one line for each request when its answer has gone out, or its client has. It names the route's pattern, not
 * the URL: a credential that somebody put there must not end up in the log.
 * @returns a function that opens the line of one request.
 */
export function accessLog(log: Log, { slowMs, credentialOf, onEnd }: AccessLogOptions): (reply: FastifyReply) => void {
  const writeLine = lineWriter(log, credentialOf);
  // One function for all requests: it finds its own through the response it is called on.
  function onClose(this: Logged): void {
    const { [REPLY]: reply, [BEGAN_AT]: beganAt = 0 } = this;
    if (reply === undefined) return;
    const route = reply.request.routeOptions.config.url;
    const ended = { reply, route, isComplete: this.writableFinished, durationMs: performance.now() - beganAt };
    if (ended.durationMs >= slowMs) log.warn(fieldsOf(ended, credentialOf), 'slow request');
    else writeLine(ended);
    onEnd?.(ended);
  }
  return (reply) => {
    const response: Logged = reply.raw;
    response[REPLY] = reply;
    response[BEGAN_AT] = performance.now();
    response.on('close', onClose);
  };
}

/**
 * Every request writes a line, and pino takes 8 µs for one where this takes 1; all other lines are pino's. Ids have no
 * character that JSON writes otherwise, and methods are those that Node knows.
 */
function lineWriter(log: Log, credentialOf: AccessLogOptions['credentialOf']): (ended: EndedAnswer) => void {
  const sink = infoSink(log);
  if (sink === undefined) return (ended) => log.info(fieldsOf(ended, credentialOf), 'request');
  return (ended) => {
    const { request_id, method, route, status, duration_ms, credential_id, aborted } = fieldsOf(ended, credentialOf);
    const where = route === undefined ? '' : `,"route":${JSON.stringify(route)}`;
    const who = credential_id === undefined ? '' : `,"credential_id":${JSON.stringify(credential_id)}`;
    const how = aborted === undefined ? '' : ',"aborted":true';
    sink.write(
      `${sink.head()},"request_id":"${request_id}","method":"${method}"${where},"status":${String(status)},` +
        `"duration_ms":${String(duration_ms)}${who}${how},"msg":"request"}\n`,
    );
  };
}

/** What a line says; its members in their order. */
interface Fields {
  readonly request_id: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly duration_ms: number;
  readonly credential_id: string | undefined;
  readonly aborted: true | undefined;
}

function fieldsOf(
  { reply, route, isComplete, durationMs }: EndedAnswer,
  credentialOf: AccessLogOptions['credentialOf'],
): Fields {
  const { request } = reply;
  return {
    request_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    duration_ms: Math.round(durationMs * 1000) / 1000,
    credential_id: credentialOf(request),
    aborted: isComplete ? undefined : true,
  };
}
