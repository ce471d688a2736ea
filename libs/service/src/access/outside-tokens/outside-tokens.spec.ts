import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';

import { withMovableClock } from '@items/testing';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';

import { OutsideTokens } from './outside-tokens.js';

describe('Tokens of another issuer', () => {
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
    const trusted = { issuer, audience: ['items'], jwksUri: issuer };
    tokens = new OutsideTokens([trusted]);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const now = (): number => Math.floor(Date.now() / 1000);
  const token = (claims: object = {}, header: object = {}): Promise<string> =>
    new SignJWT({ iss: issuer, aud: 'items', sub: 'ada', scope: 'items:read', exp: now() + 60, ...claims })
      .setProtectedHeader({ alg: 'ES256', ...header })
      .sign(key);

  it('clocks may be 30 s apart', async () => {
    expect(await tokens.authenticate(await token({ exp: now() - 25 }))).toMatchObject({ subject: 'ada' });
    expect(await tokens.authenticate(await token({ exp: now() - 31 }))).toBeNull();
  });

  it.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'])('typ %s is accepted', async (typ) => {
    expect(await tokens.authenticate(await token({}, typ === undefined ? {} : { typ }))).toMatchObject({
      subject: 'ada',
    });
  });

  it.each(['logout+jwt', 'dpop+jwt', 'id_token+jwt', 'secevent+jwt', 'at', '', null, 5, ['JWT', 'x']])(
    'typ %s is refused',
    async (typ) => {
      expect(await tokens.authenticate(await token({}, { typ }))).toBeNull();
    },
  );

  it.each([
    [{ at_hash: 'x' }, {}],
    [{ c_hash: 'x' }, { typ: 'at+jwt' }],
    [{ nonce: 'x' }, { typ: 'JWT' }],
    [{ nonce: 'x' }, {}],
    [{ typ: 'ID' }, {}],
    [{ typ: 'Refresh' }, { typ: 'JWT' }],
    [{ events: {} }, {}],
    [{ cnf: { jkt: 'x' } }, { typ: 'at+jwt' }],
  ])('a token with the claims %j and the header %j is no access token for us', async (claims, header) => {
    expect(await tokens.authenticate(await token(claims, header))).toBeNull();
  });

  it.each([
    [{ nonce: 'x' }, { typ: 'at+jwt' }],
    [{ nonce: 'x', typ: 'Bearer' }, { typ: 'JWT' }],
  ])('the claims %j with the header %j do not make it another kind of token', async (claims, header) => {
    expect(await tokens.authenticate(await token(claims, header))).toMatchObject({ subject: 'ada' });
  });

  it('is valid for at most a day, plus the tolerated clock difference', async () => {
    const day = 24 * 60 * 60;
    expect(await tokens.authenticate(await token({ exp: now() + day + 25 }))).toMatchObject({ subject: 'ada' });
    expect(await tokens.authenticate(await token({ exp: now() + day + 60 }))).toBeNull();
  });

  it('a scope_map limits the scopes to its words', async () => {
    const scopeMap = new Map([['writer', ['items:write']]]);
    const trusted = { issuer, audience: ['items'], jwksUri: issuer, scopeMap };
    const mapped = new OutsideTokens([trusted]);
    const scopesOf = async (of: OutsideTokens) => [
      ...((await of.authenticate(await token({ scope: 'items:read writer users:write' })))?.scopes ?? []),
    ];
    expect(await scopesOf(mapped)).toEqual(['items:write']);
    expect(await scopesOf(tokens)).toEqual(['items:read', 'writer', 'users:write']);
  });

  it('a cached token ends as it would if it were verified again', async () => {
    const ending = await token({ exp: now() - 28 });
    await withMovableClock(async (pass) => {
      expect(await tokens.authenticate(ending)).toMatchObject({ subject: 'ada' });
      pass(2_500);
      expect(await tokens.authenticate(ending)).toBeNull();
    });
  });

  it('a verified token is not verified again, and a text that is no token of an issuer is never accepted', async () => {
    const [good, bad] = [await token({ sub: 'eve' }), await token({ aud: 'others' })];
    const caller = await tokens.authenticate(good);
    expect(await tokens.authenticate(good)).toBe(caller);
    for (const other of [bad, bad, 'no.jwt.']) expect(await tokens.authenticate(other)).toBeNull();
  });

  it('the cache contains neither tokens nor data of unknown issuers', async () => {
    const whole = { depth: null, maxArrayLength: null, maxStringLength: null };
    // Ignores the clock of the cache.
    const remembered = (): string => inspect(tokens, whole).replaceAll(/(duration|idleTime): .*/g, '');
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
