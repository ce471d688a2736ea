import { RawConnection } from '@items/testing';

import { createItem } from '../harness/items.js';
import { exchange, expectRawError, HOST_LINE, KEY_LINE } from '../harness/raw.js';
import { serviceHost, servicePort } from '../harness/service.js';

const HEAD = `POST /items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}Content-Type: application/json\r\n`;
const BODY = '{"name":"Lamp"}';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const PING = `GET /health/live HTTP/1.1\r\n${HOST_LINE}\r\n`;

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

describe('Bad input: the length of a body', () => {
  it.each([
    ['text for a Content-Length', `${HEAD}Content-Length: abc\r\n\r\n${BODY}`],
    ['an empty Content-Length', `${HEAD}Content-Length:\r\n\r\n${BODY}`],
    ['a negative Content-Length', `${HEAD}Content-Length: -1\r\n\r\n${BODY}`],
    ['a signed Content-Length', `${HEAD}Content-Length: +15\r\n\r\n${BODY}`],
    ['a fractional Content-Length', `${HEAD}Content-Length: 15.0\r\n\r\n${BODY}`],
    ['a hexadecimal Content-Length', `${HEAD}Content-Length: 0xf\r\n\r\n${BODY}`],
    ['a list of Content-Lengths', `${HEAD}Content-Length: 15, 15\r\n\r\n${BODY}`],
    ['two different Content-Lengths', `${HEAD}Content-Length: 15\r\nContent-Length: 16\r\n\r\n${BODY}x`],
    ['a Content-Length beyond all numbers', `${HEAD}Content-Length: 99999999999999999999999\r\n\r\n${BODY}`],
    [
      'Content-Length and Transfer-Encoding',
      `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(BODY)}0\r\n\r\n`,
    ],
    [
      'Transfer-Encoding and Content-Length',
      `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n${chunk(BODY)}0\r\n\r\n`,
    ],
    ['an unknown transfer coding', `${HEAD}Transfer-Encoding: xchunked\r\n\r\n${chunk(BODY)}0\r\n\r\n`],
    ['chunked not last', `${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\n${chunk(BODY)}0\r\n\r\n`],
    ['a chunk size that is none', `${CHUNKED}zz\r\n${BODY}\r\n0\r\n\r\n`],
    ['a negative chunk size', `${CHUNKED}-1\r\n${BODY}\r\n0\r\n\r\n`],
    ['a chunk size beyond all numbers', `${CHUNKED}ffffffffffffffffff\r\n${BODY}\r\n0\r\n\r\n`],
    ['a chunk longer than it says', `${CHUNKED}3\r\n${BODY}\r\n0\r\n\r\n`],
    ['no size at all', `${CHUNKED}\r\n${BODY}\r\n0\r\n\r\n`],
  ])('%s is 400', async (_title, bytes) => {
    await expectRawError(bytes, 400, 413);
  });

  it('a body with a Content-Length above 1 MiB is 413 before it arrives', async () => {
    await expectRawError(`${HEAD}Content-Length: 1048577\r\n\r\n`, 413);
    await expectRawError(`${HEAD}Content-Length: 999999999999\r\n\r\n{`, 413);
  });

  it('a chunked body above 1 MiB is 413', async () => {
    await expectRawError(CHUNKED + chunk(' '.repeat(524_288)).repeat(3), 413);
  });

  it('a chunked body is read', async () => {
    const pieces = Array.from(BODY, chunk).join('');
    expect((await exchange(`${CHUNKED}${pieces}0\r\n\r\n`)).answer?.status).toBe(201);
    expect((await exchange(`${CHUNKED}f;ext="x"\r\n${BODY}\r\n0\r\nTrailer: x\r\n\r\n`)).answer?.status).toBe(201);
    const filled = BODY.padEnd(1_048_576);
    expect((await exchange(`${CHUNKED}${chunk(filled)}0\r\n\r\n`)).answer?.status).toBe(201);
  });

  it('a broken chunked body without a credential is 400 or 401, never a hang', async () => {
    const anonymous = CHUNKED.replace(KEY_LINE, '');
    await expectRawError(`${anonymous}zz\r\n${BODY}\r\n0\r\n\r\n`, 400, 401);
  });

  it('a truncated body is not a 5xx', async () => {
    for (const bytes of [`${HEAD}Content-Length: 99\r\n\r\n${BODY}`, CHUNKED + chunk(BODY), `${CHUNKED}ff\r\n{`]) {
      const { answer } = await exchange(bytes, { halfClose: true });
      if (answer !== undefined) expect(answer.status).toBe(400);
    }
  });
});

describe('Bad input: Expect', () => {
  const expecting = `${HEAD}Content-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`;

  it('100-continue gets 100 before the body is read', async () => {
    const connection = await RawConnection.open(servicePort, { host: serviceHost });
    connection.send(expecting);
    expect((await connection.nextAnswer())?.status).toBe(100);
    connection.send(BODY);
    expect((await connection.nextAnswer())?.status).toBe(201);
    connection.destroy();
  });

  it('100-continue does not get 100 if the request is refused anyway', async () => {
    const refused = [
      [expecting.replace(KEY_LINE, ''), 401],
      [expecting.replace('application/json', 'text/plain'), 415],
      [expecting.replace(/Content-Length: \d+/, 'Content-Length: 1048577'), 413],
      [expecting.replace('/items', '/nothing'), 404],
    ] as const;
    for (const [bytes, status] of refused) {
      const { answer, interim } = await exchange(bytes);
      expect([answer?.status, interim]).toEqual([status, []]);
    }
  });

  it('anything else is 417', async () => {
    await expectRawError(`GET /items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}Expect: 200-ok\r\n\r\n`, 417);
  });
});

describe('Bad input: several requests on one connection', () => {
  async function statuses(count: number, bytes: string): Promise<(number | undefined)[]> {
    const connection = await RawConnection.open(servicePort, { host: serviceHost });
    connection.send(bytes);
    const seen = [];
    for (let i = 0; i < count; i += 1) seen.push((await connection.nextAnswer())?.status);
    connection.destroy();
    return seen;
  }

  it('get their responses in order', async () => {
    const post = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
    const get = `GET /items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}\r\n`;
    expect(await statuses(5, post + get + PING + post + get)).toEqual([201, 200, 200, 201, 200]);
  });

  it('a refused body is never parsed as the next request', async () => {
    const smuggled = `GET /health/live HTTP/1.1\r\n${HOST_LINE}\r\n`;
    const cases = [
      HEAD.replace(KEY_LINE, ''),
      HEAD.replace('application/json', 'text/plain'),
      HEAD.replace('/items', '/nothing'),
      HEAD.replace('POST', 'PATCH'),
      HEAD.replace('POST', 'GET'),
    ];
    for (const head of cases) {
      const connection = await RawConnection.open(servicePort, { host: serviceHost });
      connection.send(`${head}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`);
      await connection.nextAnswer();
      connection.send(`GET /nothing HTTP/1.1\r\n${HOST_LINE}\r\n`);
      expect([404, undefined]).toContain((await connection.nextAnswer())?.status);
      connection.destroy();
    }
  });

  it('a malformed one ends the connection after the responses before it', async () => {
    const connection = await RawConnection.open(servicePort, { host: serviceHost });
    connection.send(`${PING}garbage\r\n\r\n${PING}`);
    expect((await connection.nextAnswer())?.status).toBe(200);
    expect((await connection.nextAnswer())?.status).toBe(400);
    await connection.closed(10_000);
    expect(connection.answers()).toHaveLength(2);
  });

  it('after all of it the service still responds', async () => {
    await createItem();
  });
});
