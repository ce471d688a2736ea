import type { ServerResponse } from 'node:http';

import type { TraceFields } from '../logging/access-log.js';
import type { DatabaseObserver } from '../../data/database/database-observer.js';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const SERVER_ERROR = 500;
const SPAN = Symbol('span');
type Traced = ServerResponse & { [SPAN]?: Span };

/**
 * Creates a span for each request, on the trace of its `traceparent` (W3C Trace Context), with child spans for the
 * access check, body, statements and commit. Spans contain no URL, header, body or statement value.
 */
export class Tracing implements DatabaseObserver {
  constructor(private readonly tracer: Tracer = trace.getTracer('@items/tracing')) {}

  /** @param fastify must have no hooks yet, so that spans include all hooks. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, reply, done) => {
      const parent = propagation.extract(ROOT_CONTEXT, request.headers);
      const span = this.tracer.startSpan(nameOf(request), { kind: SpanKind.SERVER }, parent);
      (reply.raw as Traced)[SPAN] = span;
      reply.raw.once('close', () => endRequest(span, request, reply));
      context.with(trace.setSpan(parent, span), done);
    });
  }

  fieldsOf(reply: FastifyReply): TraceFields | undefined {
    return fieldsOf((reply.raw as Traced)[SPAN]);
  }

  readonly activeFields = (): TraceFields | undefined => fieldsOf(trace.getActiveSpan());

  readonly onError = (error: Error & { readonly status: number }): void => {
    if (error.status < SERVER_ERROR) return;
    trace.getActiveSpan()?.recordException(error.cause instanceof Error ? error.cause : error);
  };

  /** @param beganAtMs on the clock of `performance`. */
  readonly onStage = (name: string, beganAtMs: number): void => this.recordSpan(name, beganAtMs);

  readonly onStatement = (sql: string, beganAtMs: number): void => {
    if (trace.getActiveSpan()?.isRecording() !== true) return;
    const name = statementName(sql);
    if (name !== undefined) this.recordSpan(name, beganAtMs, { 'db.query.text': statementText(sql) });
  };

  readonly onCommit = (beganAtMs: number): void => this.recordSpan('COMMIT', beganAtMs);

  bind<Work extends (...args: never[]) => unknown>(work: Work): Work {
    return context.bind(context.active(), work);
  }

  private recordSpan(name: string, beganAtMs: number, attributes: Record<string, string> = {}): void {
    if (trace.getActiveSpan()?.isRecording() !== true) return;
    const kind = 'db.query.text' in attributes ? SpanKind.CLIENT : SpanKind.INTERNAL;
    this.tracer.startSpan(name, { startTime: beganAtMs, kind, attributes }).end(performance.now());
  }
}

function fieldsOf(span: Span | undefined): TraceFields | undefined {
  const of = span?.spanContext();
  return of && { trace_id: of.traceId, span_id: of.spanId };
}

/** Does not use the path: names must have few values, and a path may contain a credential. */
function nameOf({ method, routeOptions }: FastifyRequest): string {
  const route = routeOptions.url;
  return route === undefined ? method : `${method} ${route}`;
}

function endRequest(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.routeOptions.url;
  span.setAttributes({
    'http.request.method': request.method,
    'http.response.status_code': reply.statusCode,
    'url.scheme': request.protocol,
    request_id: request.id,
    ...(route !== undefined && { 'http.route': route }),
  });
  if (reply.statusCode >= SERVER_ERROR) {
    span.setAttribute('error.type', String(reply.statusCode));
    span.setStatus({ code: SpanStatusCode.ERROR });
  } else if (!reply.raw.writableFinished) {
    span.setAttribute('error.type', 'aborted');
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'The client disconnected before its response was sent.' });
  }
  span.end();
}

const MAX_TEXT = 2000;

/** Transaction control has no spans, except for commits (`onCommit`). */
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;
/** Writes come first: `INSERT … SELECT` is named after the table that it writes. */
const NAMES = [
  /\b(INSERT) INTO ([a-z_]+)/,
  /\b(UPDATE) ([a-z_]+)/,
  /\b(DELETE) FROM ([a-z_]+)/,
  /\b(SELECT)\b.*?\bFROM ([a-z_]+)/s,
];

/**
 * Returns the span's name: operation and table, such as `SELECT items`, so that there are few names. Undefined for
 * transaction control.
 */
function statementName(sql: string): string | undefined {
  if (CONTROL.test(sql)) return undefined;
  const text = sql.slice(0, MAX_TEXT);
  for (const name of NAMES) {
    const [, operation, table] = name.exec(text) ?? [];
    if (operation !== undefined) return `${operation} ${String(table)}`;
  }
  return 'SQL';
}

function statementText(sql: string): string {
  return sql.slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ');
}
