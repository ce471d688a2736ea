import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Logger } from '@nestjs/common';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

import { IssuerKeys } from './issuer-keys.js';

const UNAVAILABLE = { status: 503, code: 'issuer_unavailable' };
const COOLDOWN_MS = 1000;
const LIFETIME_MS = 10 * 60 * 1000;

describe("An issuer's keys", () => {
  const header = { alg: 'ES256', kid: 'first' };
  const unknown = { alg: 'ES256', kid: 'second' };
  let jwk: JWK;
  let server: Server;
  let answer: (response: ServerResponse) => void;
  let asked: number;
  let nowMs: number;
  let keys: IssuerKeys;

  const down = (response: ServerResponse): void => void response.writeHead(500).end();
  const up = (response: ServerResponse): void => void response.end(JSON.stringify({ keys: [jwk] }));
  const elapse = (ms: number): void => void (nowMs += ms);

  beforeAll(async () => {
    Logger.overrideLogger(false);
    jwk = { ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid: 'first' };
    server = createServer((_request, response) => {
      asked += 1;
      answer(response);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    nowMs = 1_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
    asked = 0;
    answer = up;
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    keys = new IssuerKeys({ issuer: url, jwksUri: url });
  });
  afterEach(() => jest.restoreAllMocks());

  it('are asked for once, by however many, and kept', async () => {
    await Promise.all([keys.keyFor(header), keys.keyFor(header)]);
    elapse(LIFETIME_MS);
    expect(await keys.keyFor(header)).toBeDefined();
    expect(asked).toBe(1);
    elapse(1);
    await keys.keyFor(header);
    expect(asked).toBe(2);
  });

  it('that cannot be had are 503, and not asked for again at once', async () => {
    answer = down;
    for (let count = 0; count < 20; count++) await expect(keys.keyFor(header)).rejects.toMatchObject(UNAVAILABLE);
    expect(asked).toBe(1);
    answer = up;
    elapse(COOLDOWN_MS);
    expect(await keys.keyFor(header)).toBeDefined();
    expect(asked).toBe(2);
  });

  it('that are known are good while newer ones cannot be had', async () => {
    await keys.keyFor(header);
    answer = down;
    elapse(LIFETIME_MS + 1);
    for (let count = 0; count < 20; count++) expect(await keys.keyFor(header)).toBeDefined();
    expect(asked).toBe(2);
  });

  it('are asked for again where one is unknown, but not at once', async () => {
    await keys.keyFor(header);
    await expect(keys.keyFor(unknown)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(asked).toBe(1);
    elapse(COOLDOWN_MS);
    await expect(keys.keyFor(unknown)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(asked).toBe(2);
  });

  it('may hold an unknown one as long as they cannot be had: 503', async () => {
    await keys.keyFor(header);
    answer = down;
    elapse(COOLDOWN_MS);
    for (let count = 0; count < 20; count++) await expect(keys.keyFor(unknown)).rejects.toMatchObject(UNAVAILABLE);
    expect(asked).toBe(2);
  });
});
