import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { trace } from '@opentelemetry/api';

import { startTracing } from './start-tracing.js';

/** Starts a collector that stores the received spans. */
async function collector(
  status: number,
): Promise<{ server: Server; url: string; received: Buffer[]; paths: string[] }> {
  const received: Buffer[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${String(request.method)} ${String(request.url)}`);
    request.on('data', (chunk: Buffer) => received.push(chunk));
    request.on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, received, paths };
}

describe('Spans are sent according to the variables of OpenTelemetry', () => {
  const environment = { ...process.env };

  afterEach(() => {
    process.env = { ...environment };
  });

  it('the collector receives them, the last ones at the stop', async () => {
    const { server, url, received, paths } = await collector(200);
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
    process.env['OTEL_RESOURCE_ATTRIBUTES'] = 'deployment.environment.name=tests';
    const stop = startTracing({ serviceName: 'books', instance: 'here:1', log: { warn: jest.fn() }, flushMs: 30_000 });
    trace.getTracer('test').startSpan('a span of this test').end();
    await stop();
    server.close();
    server.closeAllConnections();
    expect(paths).toEqual(['POST /v1/traces']);
    const text = Buffer.concat(received).toString('latin1');
    for (const part of ['a span of this test', 'books', 'here:1', 'tests']) expect(text).toContain(part);
  });

  it('a collector that refuses them causes one log line', async () => {
    const { server, url } = await collector(400);
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
    const warn = jest.fn();
    const stop = startTracing({ serviceName: 'books', instance: 'here:1', log: { warn }, flushMs: 30_000 });
    trace.getTracer('test').startSpan('lost').end();
    await stop();
    server.close();
    server.closeAllConnections();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(
      { failures: 1, cause: expect.stringContaining('Bad Request') as string },
      'The collector of traces does not answer; spans are lost, requests are served',
    );
  });

  it('a stop does not wait for a collector that is silent', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${String((silent.address() as AddressInfo).port)}`;
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '100';
    let tell: () => void = () => undefined;
    const told = new Promise<void>((resolve) => (tell = resolve));
    const stop = startTracing({ serviceName: 'books', instance: 'here:1', log: { warn: tell }, flushMs: 1 });
    trace.getTracer('test').startSpan('lost').end();
    let isTold = false;
    void told.then(() => (isTold = true));
    await stop();
    expect(isTold).toBe(false);
    await told;
    silent.closeAllConnections();
    silent.close();
  });

  it('a provider that was started before the service sends them, if any', async () => {
    const { server, url, received } = await collector(200);
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = url;
    const options = { instance: 'here:1', log: { warn: jest.fn() }, flushMs: 30_000 };
    const stopFirst = startTracing({ serviceName: 'the first', ...options });
    const stopSecond = startTracing({ serviceName: 'the second', ...options });
    trace.getTracer('test').startSpan('a span').end();
    await stopSecond();
    await stopFirst();
    server.close();
    server.closeAllConnections();
    const text = Buffer.concat(received).toString('latin1');
    expect(text).toContain('the first');
    expect(text).not.toContain('the second');
  });
});
