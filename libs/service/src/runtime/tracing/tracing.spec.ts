import { propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { fastify, type FastifyInstance } from 'fastify';

import { Tracing } from './tracing.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

describe('A request is a span, and its operations are spans in it', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  let server: FastifyInstance;
  let tracing: Tracing;

  beforeAll(() => {
    provider.register();
    tracing = new Tracing();
    server = fastify();
    tracing.install(server);
    server.get('/books/:id', async () => {
      tracing.onStage('access', performance.now());
      await new Promise(setImmediate);
      tracing.onStatement('SELECT *\n  FROM books WHERE id = $1', performance.now() - 5);
      tracing.onStatement('BEGIN IMMEDIATE', performance.now());
      return tracing.activeFields();
    });
    server.get('/fails', (_request, reply) => {
      tracing.onError(Object.assign(new Error('told', { cause: new Error('the disk') }), { status: 500 }));
      return reply.code(500).send({});
    });
    server.post('/later', () => {
      const work = tracing.bind(() => {
        tracing.onStatement('WITH stamp AS (SELECT 1) INSERT INTO books SELECT 1 FROM stamp', performance.now());
        tracing.onCommit(performance.now());
      });
      // Outside of any request's context, as in a group of transactions.
      return new Promise((resolve) => {
        outside = () => {
          work();
          resolve({});
        };
      });
    });
  });

  let outside: () => void = () => undefined;

  afterEach(() => {
    exporter.reset();
  });

  afterAll(async () => {
    await server.close();
    await provider.shutdown();
    trace.disable();
    propagation.disable();
  });

  const spans = () => exporter.getFinishedSpans();
  const named = (name: string) => spans().find((span) => span.name === name);

  it('the span belongs to the trace that its traceparent names', async () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    const answer = await server.inject({ url: '/books/7?key=secret', headers });
    const request = named('GET /books/:id');
    expect(request?.kind).toBe(SpanKind.SERVER);
    expect(request?.parentSpanContext?.spanId).toBe(PARENT);
    expect(answer.json()).toEqual({ trace_id: TRACE, span_id: request?.spanContext().spanId });
    expect(request?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/books/:id',
      'http.response.status_code': 200,
    });
    for (const name of ['access', 'SELECT books'])
      expect(named(name)?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(named('SELECT books')?.attributes).toEqual({ 'db.query.text': 'SELECT * FROM books WHERE id = $1' });
    expect(spans()).toHaveLength(3);
    expect(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes]))).not.toContain('secret');
  });

  it.each(['nonsense', `00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01-${'x'.repeat(8000)}`])(
    'the span begins a new trace if the request names none: %.20s',
    async (traceparent) => {
      await server.inject({ url: '/books/7', headers: { traceparent } });
      const request = named('GET /books/:id');
      expect(request?.parentSpanContext).toBeUndefined();
      expect(request?.spanContext().traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    },
  );

  it('a failed request has the cause of its fault', async () => {
    await server.inject('/fails');
    expect(named('GET /fails')?.status.code).toBe(SpanStatusCode.ERROR);
    expect(named('GET /fails')?.events[0]?.attributes).toMatchObject({ 'exception.message': 'the disk' });
  });

  it('an operation stays in its request if it is done in a group with others', async () => {
    const answer = server.inject({ method: 'POST', url: '/later' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    outside();
    await answer;
    const request = named('POST /later')?.spanContext().spanId;
    expect(named('INSERT books')?.parentSpanContext?.spanId).toBe(request);
    expect(named('COMMIT')?.parentSpanContext?.spanId).toBe(request);
  });

  it('an operation outside of requests is no span', () => {
    tracing.onStatement('SELECT 1 FROM books', performance.now());
    tracing.onCommit(performance.now());
    expect(spans()).toHaveLength(0);
    expect(tracing.activeFields()).toBeUndefined();
  });
});
