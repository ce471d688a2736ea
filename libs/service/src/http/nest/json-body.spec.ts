import { RawConnection, rawExchange } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.close());

const KEY = 'X-API-Key: k\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';
const NEXT = 'GET /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const MEBIBYTE = 1_048_576;

const post = (headers: string, body = '') => `POST /things HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`;
const sized = (headers: string, body: string) =>
  post(`${headers}Content-Length: ${String(Buffer.byteLength(body))}\r\n`, body);
const chunked = (headers: string, body: string) =>
  post(`${headers}Transfer-Encoding: chunked\r\n`, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);

async function statuses(...parts: string[]): Promise<number[]> {
  const connection = await RawConnection.open(app.port);
  for (const part of parts) connection.send(part);
  await connection.closed(5000);
  return connection.answers().map((answer) => answer.status);
}

describe('a body is read only after the guards (SPEC §1.3)', () => {
  it.each([
    ['slow', post(`${JSON_TYPE}Content-Length: 100\r\n`, '{')],
    ['malformed', sized(JSON_TYPE, '{')],
    ['of another type', sized('Content-Type: text/plain\r\n', 'x')],
    ['of an unreadable type', sized('Content-Type: ;;\r\n', 'x')],
    ['too large', post(`${JSON_TYPE}Content-Length: 99999999\r\n`)],
    ['compressed', sized(`${JSON_TYPE}Content-Encoding: gzip\r\n`, 'x')],
  ])('401 comes immediately if the body is %s', async (_, text) => {
    const start = performance.now();
    expect((await rawExchange(app.port, text)).answer?.status).toBe(401);
    // A handler that waited for the body would take ten seconds.
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

describe('a body with more names than any class has', () => {
  const members = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => `"${name}${String(n)}":0`).join(',');
  const refusalOf = async (body: string) => {
    const { answer } = await rawExchange(app.port, sized(KEY + JSON_TYPE, body));
    const { error, details } = JSON.parse(String(answer?.body)) as { error: string; details: { field: string }[] };
    return { status: answer?.status, error, fields: details.map(({ field }) => field) };
  };

  it('is 422, names twenty of its unknown fields and counts the others', async () => {
    const { status, error, fields } = await refusalOf(`{"name":"a",${members(90_000, 'x')}}`);
    expect([status, fields.length]).toEqual([422, 20]);
    expect(error).toMatch(/And 89997 more\.$/);
  });

  it('reports no missing field, because it may be among the omitted ones', async () => {
    const { status, error, fields } = await refusalOf(`{${members(2000, 'x')},"name":"a"}`);
    expect([status, fields.length]).toEqual([422, 20]);
    expect(error).not.toContain('required');
  });
});

describe('bodies', () => {
  it.each([
    [201, 'good', sized(KEY + JSON_TYPE, '{"name":"a"}')],
    [201, 'chunked', chunked(KEY + JSON_TYPE, '{"name":"a"}')],
    [400, 'missing', post(KEY)],
    [400, 'empty', sized(KEY + JSON_TYPE, '')],
    [400, 'malformed', sized(KEY + JSON_TYPE, '{"name"}')],
    [400, 'with a byte order mark', sized(KEY + JSON_TYPE, '\ufeff{"name":"a"}')],
    [422, 'a list', sized(KEY + JSON_TYPE, '[]')],
    [422, 'lacking a field', sized(KEY + JSON_TYPE, '{}')],
    [415, 'without a type', sized(KEY, '{"name":"a"}')],
    [415, 'of another type', sized(`${KEY}Content-Type: text/plain\r\n`, '{"name":"a"}')],
    [415, 'of an unreadable type', sized(`${KEY}Content-Type: ;;\r\n`, '{"name":"a"}')],
    [415, 'compressed', sized(`${KEY}${JSON_TYPE}Content-Encoding: gzip\r\n`, 'xx')],
    [413, 'declared as too large', sized(KEY + JSON_TYPE, 'x'.repeat(MEBIBYTE + 1))],
    [413, 'too large in chunks', chunked(KEY + JSON_TYPE, 'x'.repeat(3 * MEBIBYTE))],
    [413, 'too large and of another type', sized(`${KEY}Content-Type: text/plain\r\n`, 'x'.repeat(MEBIBYTE + 1))],
  ])('%i for a body that is %s; the connection stays usable', async (status, _, text) => {
    expect(await statuses(text, NEXT)).toEqual([status, 200]);
  });

  it('may be as large as 1 MiB', async () => {
    const frame = '{"name":"a"}';
    expect(await statuses(sized(KEY + JSON_TYPE, frame.padEnd(MEBIBYTE)), NEXT)).toEqual([201, 200]);
  });

  it('get 400 if they end early', async () => {
    const { answer } = await rawExchange(app.port, post(`${KEY}${JSON_TYPE}Content-Length: 9\r\n`, '{'), {
      halfClose: true,
    });
    expect(answer?.status).toBe(400);
  });

  it('count as ending early if the client has disconnected', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(post(`${KEY}${JSON_TYPE}X-Request-Id: gone\r\nContent-Length: 9\r\n`, '{'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    connection.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(app.log.find((line) => line['request_id'] === 'gone')).toMatchObject({ status: 400 });
    expect(await statuses(NEXT)).toEqual([200]);
  });
});

describe('Expect (RFC 9110 §10.1.1)', () => {
  const asking = (headers: string) => post(`${headers}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: 12\r\n`);

  it('100-continue is sent when the body is wanted', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(asking(KEY));
    expect((await connection.nextAnswer())?.status).toBe(100);
    connection.send('{"name":"a"}');
    expect((await connection.nextAnswer())?.status).toBe(201);
    connection.destroy();
  });

  it('a request without a key gets 401 instead', async () => {
    const { answer, interim } = await rawExchange(app.port, asking(''));
    expect([interim.length, answer?.status, answer?.header('connection')]).toEqual([0, 401, 'close']);
  });

  it('any other expectation is 417', async () => {
    const { answer } = await rawExchange(app.port, 'GET /things HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n');
    expect(answer?.status).toBe(417);
    expect(answer?.json()).toMatchObject({ code: 'expectation_failed' });
  });
});
