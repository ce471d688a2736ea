import { once } from 'node:events';
import { connect, type ConnectionOptions } from 'node:tls';

import { HttpClient, rawExchange, startApp, TEST_CERTIFICATE, type RunningApp } from '@items/testing';

import { conventions } from '../harness/conventions.js';
import { expectStatus } from '../harness/reading.js';
import { eventually } from '../harness/receiver.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

describeStartedOnce('Running: TLS_CERT and TLS_KEY serve HTTPS directly', () => {
  let app: RunningApp;
  let client: HttpClient;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), https: true, env: { REQUIRE_HTTPS: 'true' } });
    const headers = [['X-API-Key', app.adminKey]] as const;
    client = new HttpClient({ baseUrl: app.baseUrl, ca: TEST_CERTIFICATE.cert, headers, observers: [conventions] });
  });
  afterAll(() => app.stop());

  it('sends Strict-Transport-Security with every response, also with an error', async () => {
    for (const [target, status] of [
      ['/items', 200],
      ['/nothing', 404],
      ['/health/live', 200],
    ] as const) {
      const answer = await client.get(target);
      expectStatus(answer, status);
      expect(answer.header('strict-transport-security')).toBe('max-age=31536000');
    }
  });

  it('uses https in its own addresses', async () => {
    const metadata = await client.get('/.well-known/oauth-authorization-server');
    expect(metadata.json()).toMatchObject({ issuer: `https://localhost:${String(app.port)}` });
    expect(app.process.log()).toContain(`Listening on https://127.0.0.1:${String(app.port)}`);
  });

  it('closes a plain HTTP connection without a response, and continues to serve', async () => {
    const request = `GET /items HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.adminKey}\r\n\r\n`;
    const { answer, bytes } = await rawExchange(app.port, request);
    expect([answer, bytes.length]).toEqual([undefined, 0]);
    expectStatus(await client.get('/items'), 200);
  });

  const handshake = async (offered: ConnectionOptions): Promise<string | null> => {
    const options = { port: app.port, host: '127.0.0.1', ca: TEST_CERTIFICATE.cert, ...offered };
    return new Promise((resolve) => {
      const socket = connect(options);
      socket.once('secureConnect', () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.once('error', () => {
        resolve('refused');
      });
    });
  };

  it('speaks nothing older than TLS 1.2', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
    expect(await handshake(old)).toBe('refused');
  });

  it('speaks TLS 1.2 with ECDHE and authenticated encryption only, and TLS 1.3', async () => {
    const certified = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'];
    for (const suite of certified)
      expect(await handshake({ maxVersion: 'TLSv1.2', ciphers: `ECDHE-ECDSA-${suite}` })).toBe('TLSv1.2');
    // The default of OpenSSL would accept each of these.
    for (const suite of ['AES128-SHA256', 'AES256-SHA384', 'AES128-SHA', 'AES256-SHA'])
      expect(await handshake({ maxVersion: 'TLSv1.2', ciphers: `ECDHE-ECDSA-${suite}` })).toBe('refused');
    expect(await handshake({ minVersion: 'TLSv1.3' })).toBe('TLSv1.3');
  });

  it('responds to a client that has closed its side', async () => {
    const socket = connect({ port: app.port, host: '127.0.0.1', ca: TEST_CERTIFICATE.cert });
    socket.end(`GET /items HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.adminKey}\r\n\r\n`);
    let received = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) received += chunk.toString();
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('responds to malformed HTTP with an error of the service, and HSTS', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect({ port: app.port, host: '127.0.0.1', ca: TEST_CERTIFICATE.cert }, () => {
        socket.write('NONSENSE\r\n\r\n');
      });
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.once('end', () => {
        resolve(received);
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(text).toContain('strict-transport-security: max-age=31536000');
  });

  it('stops gracefully: an open connection gets one more response', async () => {
    const socket = connect({ port: app.port, host: '127.0.0.1', ca: TEST_CERTIFICATE.cert });
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const ended = once(socket, 'end');
    const ask = (): unknown =>
      socket.write(`GET /items HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.adminKey}\r\n\r\n`);
    ask();
    await eventually(() => (received.includes('"items":') ? true : undefined));
    const stopped = app.stop();
    ask();
    await ended;
    expect(received.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(2);
    expect(await stopped).toEqual({ code: 0, signal: null });
  });
});
