import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';

import { BearerTokens } from '../../auth/bearer/bearer-tokens.js';
import { OutsideTokens } from './outside-tokens.js';

describe('Tokens of an identity provider outside (OAUTH_ISSUERS)', () => {
  let server: Server;
  let issuer: string;
  let key: CryptoKey;
  let tokens: OutsideTokens;

  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    key = privateKey;
    const keys = JSON.stringify({ keys: [await exportJWK(publicKey)] });
    server = createServer((_request, response) => response.end(keys)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const trusted = { issuer, audience: ['items'], jwksUri: issuer, scopeClaim: 'scope', scopeMap: new Map() };
    tokens = new OutsideTokens({ oauthIssuers: [trusted] }, new BearerTokens());
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const now = (): number => Math.floor(Date.now() / 1000);
  const token = (claims: object = {}): Promise<string> =>
    new SignJWT({ iss: issuer, aud: 'items', sub: 'ada', scope: 'items:read', exp: now() + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(key);

  it('clocks may be 30 s apart', async () => {
    expect(await tokens.authenticate(await token({ exp: now() - 25 }))).toMatchObject({ kind: 'bearer' });
    expect(await tokens.authenticate(await token({ exp: now() - 31 }))).toBeNull();
  });

  it('a token that is remembered ends as it would anew', async () => {
    const ending = await token({ exp: now() - 28 });
    expect(await tokens.authenticate(ending)).toMatchObject({ kind: 'bearer' });
    jest.useFakeTimers({ now: Date.now() + 2_500 });
    try {
      expect(await tokens.authenticate(ending)).toBeNull();
    } finally {
      jest.useRealTimers();
    }
  });

  it('what is remembered holds no token, and nothing of an unknown issuer', async () => {
    const remembered = (): string => inspect(tokens, { depth: null, maxArrayLength: null, maxStringLength: null });
    const [good, bad] = [await token(), await token({ aud: 'others' })];
    expect(await tokens.authenticate(good)).not.toBeNull();
    expect(await tokens.authenticate(bad)).toBeNull();
    const before = remembered();
    expect(before).not.toContain(good);
    expect(before).not.toContain(bad);
    expect(await tokens.authenticate(await token({ iss: 'https://unknown.example' }))).toBeNull();
    expect(await tokens.authenticate('no.jwt.')).toBeNull();
    expect(remembered()).toBe(before);
  });
});
