import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  let warnings: string[];

  const down = (response: ServerResponse): void => void response.writeHead(500).end();
  const up = (response: ServerResponse): void => void response.end(JSON.stringify({ keys: [jwk] }));
  const elapse = (ms: number): void => void (nowMs += ms);

  beforeAll(async () => {
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
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    asked = 0;
    answer = up;
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    warnings = [];
    keys = new IssuerKeys({ issuer: url, jwksUri: url }, { warn: (message) => void warnings.push(message) });
  });
  afterEach(() => jest.restoreAllMocks());

  it('are requested once for all concurrent callers, and cached', async () => {
    await Promise.all([keys.keyFor(header), keys.keyFor(header)]);
    elapse(LIFETIME_MS);
    expect(await keys.keyFor(header)).toBeDefined();
    expect(asked).toBe(1);
    elapse(1);
    await keys.keyFor(header);
    expect(asked).toBe(2);
  });

  it('are 503 if they cannot be fetched, and are not requested again immediately', async () => {
    answer = down;
    for (let count = 0; count < 20; count++) await expect(keys.keyFor(header)).rejects.toMatchObject(UNAVAILABLE);
    expect(asked).toBe(1);
    expect(warnings).toEqual([
      expect.stringMatching(/^Could not fetch the keys of http:.*; its tokens get 503 .*: .*responded with 500\.$/),
    ]);
    answer = up;
    elapse(COOLDOWN_MS);
    expect(await keys.keyFor(header)).toBeDefined();
    expect(asked).toBe(2);
  });

  it('stay valid while newer ones cannot be fetched', async () => {
    await keys.keyFor(header);
    answer = down;
    elapse(LIFETIME_MS + 1);
    for (let count = 0; count < 20; count++) expect(await keys.keyFor(header)).toBeDefined();
    expect(asked).toBe(2);
  });

  it('are requested again if one is unknown, but not immediately', async () => {
    await keys.keyFor(header);
    await expect(keys.keyFor(unknown)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(asked).toBe(1);
    elapse(COOLDOWN_MS);
    await expect(keys.keyFor(unknown)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(asked).toBe(2);
  });

  it('an unknown key is 503 while the keys cannot be fetched', async () => {
    await keys.keyFor(header);
    answer = down;
    elapse(COOLDOWN_MS);
    for (let count = 0; count < 20; count++) await expect(keys.keyFor(unknown)).rejects.toMatchObject(UNAVAILABLE);
    expect(asked).toBe(2);
  });

  it('are not fetched from a plain HTTP address in the metadata', async () => {
    const fetched: string[] = [];
    const discover = (issuer: string, jwksUri: string): Promise<unknown> => {
      fetched.length = 0;
      jest.spyOn(globalThis, 'fetch').mockImplementation((url) => {
        fetched.push(url instanceof Request ? url.url : url.toString());
        return Promise.resolve(Response.json(fetched.length === 1 ? { issuer, jwks_uri: jwksUri } : { keys: [jwk] }));
      });
      return new IssuerKeys({ issuer, jwksUri: undefined }).keyFor(header);
    };
    const https = 'https://login.example';
    for (const uri of ['http://login.example/keys', 'http://127.0.0.1/keys', 'file:///etc/keys', 'keys']) {
      await expect(discover(https, uri)).rejects.toMatchObject(UNAVAILABLE);
      expect(fetched).toEqual([`${https}/.well-known/openid-configuration`]);
    }
    expect(await discover(https, 'https://keys.example/keys')).toBeDefined();
    expect(await discover('http://127.0.0.1:1', 'http://127.0.0.1:1/keys')).toBeDefined();
  });
});
