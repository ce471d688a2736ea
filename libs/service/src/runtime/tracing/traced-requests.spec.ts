import { logTo } from '../logging/log.js';
import { HttpClient, onBothDatabases, type Header } from '@items/testing';
import { Tracing } from './tracing.js';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

import { loadConfig } from '../config/load-config.js';
import { createService, type Service } from '../../service/testing/fixture.testing.js';

const KEY = 'a'.repeat(32);
const TRACE = '0af7651916cd43dd8448eb211c80319c';

interface Traced extends Pick<Service, 'stop'> {
  readonly client: HttpClient;
  readonly lines: string[];
  readonly exporter: InMemorySpanExporter;
  close(): Promise<void>;
}

onBothDatabases(
  'A request to the service, with traces',
  async (database): Promise<Traced> => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    provider.register();
    const tracing = new Tracing();
    const lines: string[] = [];
    const log = logTo({ write: (line) => lines.push(line) }, 'info', tracing.activeFields);
    const { app, stop } = await createService({ ...loadConfig({ ADMIN_API_KEY: KEY }), database }, log, tracing);
    await app.listen(0, '127.0.0.1');
    const client = new HttpClient({ baseUrl: await app.getUrl(), headers: [['X-API-Key', KEY]] });
    const close = async (): Promise<void> => {
      await stop({ refuseNew: 0, closeIdle: 0, endHanging: 0, cut: 1000 });
      await provider.shutdown();
      for (const api of [trace, context, propagation]) api.disable();
    };
    return { client, lines, exporter, stop, close };
  },
  (under) => {
    it('is one span that contains the access check, the body, the statements and the commit', async () => {
      const { client, exporter, lines } = under.database;
      // Without an idempotency key, the creation is one autocommit statement on PostgreSQL.
      const headers: Header[] = [
        ['traceparent', `00-${TRACE}-${'b'.repeat(16)}-01`],
        ['Idempotency-Key', 'traced'],
      ];
      const made = await client.post('/items', { name: 'red book' }, ...headers);
      expect(made.status).toBe(201);
      const spans = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === TRACE);
      const request = spans.find(({ name }) => name === 'POST /items');
      const inside = spans.filter(
        ({ parentSpanContext }) => parentSpanContext?.spanId === request?.spanContext().spanId,
      );
      expect(inside.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['access', 'body', 'INSERT items', 'COMMIT']),
      );
      expect(inside).toHaveLength(spans.length - 1);
      const line = lines
        .map((text) => JSON.parse(text) as Record<string, unknown>)
        .find(({ msg }) => msg === 'request');
      expect(line).toMatchObject({ route: '/items', trace_id: TRACE, span_id: request?.spanContext().spanId });
    });
  },
);
