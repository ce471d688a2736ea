import type { FastifyRequest } from 'fastify';

import { resourceOf } from '../../credentials/requests/resource.js';
import { AuthStrategies } from './auth-strategies.js';
import type { OwnStrategy } from './own-strategy.js';

class SsoStrategy {
  authenticate(): void {}
  validate(): null {
    return null;
  }
}
const SSO: OwnStrategy = { name: 'sso', header: 'X-SSO-Token', strategy: SsoStrategy };
const BEARER = 'Bearer realm="items", resource_metadata="https://items.example/.well-known/oauth-protected-resource"';
const BASIC = 'Basic realm="items", charset="UTF-8"';
const API_KEY = 'ApiKey realm="items", header="X-API-Key"';

type Methods = ConstructorParameters<typeof AuthStrategies>[0]['authMethods'];

function table(
  authMethods: Methods = ['api-key', 'basic', 'bearer'],
  own: readonly OwnStrategy[] = [],
): AuthStrategies {
  return new AuthStrategies({ authMethods, baseUrl: 'https://items.example/' }, own);
}

type Pair = readonly [name: string, value: string];

function requestWith(...pairs: readonly Pair[]): Pick<FastifyRequest, 'raw'> {
  const headers = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
  return { raw: { headers, rawHeaders: pairs.flat() } } as unknown as Pick<FastifyRequest, 'raw'>;
}

function challengesOf(strategies: AuthStrategies, ...pairs: readonly Pair[]): readonly string[] {
  const { headers } = strategies.unauthorized(strategies.presentedBy(requestWith(...pairs)));
  return headers['www-authenticate'] as readonly string[];
}

describe('The table of strategies', () => {
  it('has a challenge for each method, with the URL of the resource metadata', () => {
    expect(challengesOf(table())).toEqual([BEARER, BASIC, API_KEY]);
  });

  it('has the challenge of an own strategy with its name in upper case', () => {
    expect(challengesOf(table(undefined, [SSO]))).toContain('SSO header="X-SSO-Token"');
  });

  it.each([
    [['api-key'], [API_KEY]],
    [
      ['basic', 'bearer'],
      [BEARER, BASIC],
    ],
  ] as const)('offers only AUTH_METHODS: %j', (methods, challenges) => {
    expect(challengesOf(table(methods))).toEqual(challenges);
    expect(Object.keys(table(methods).securitySchemes([]))).toHaveLength(methods.includes('bearer' as never) ? 3 : 1);
  });

  it('has invalid_token only for a bearer token', () => {
    expect(challengesOf(table(), ['Authorization', 'Bearer x'])[0]).toContain('error="invalid_token"');
    for (const presented of [
      ['Authorization', 'Basic x'],
      ['X-API-Key', 'x'],
    ] as const) {
      expect(challengesOf(table(), presented).join()).not.toContain('invalid_token');
    }
  });

  it('the error names a missing or an invalid credential, but not the reason', () => {
    expect(table().unauthorized().message).toBe('This operation needs a credential, such as an API key in X-API-Key.');
    expect(table(['bearer']).unauthorized().message).toMatch(/such as a bearer token in Authorization/);
    expect(table().wrongPassword().message).toBe('The credential is not valid.');
  });

  it.each([
    ['none', [['X-SSO-Tokens', 'x']]],
    ['one', [['X-SSO-Token', '']]],
    [
      'several',
      [
        ['x-sso-token', 'a'],
        ['X-SSO-TOKEN', 'b'],
      ],
    ],
    [
      'several',
      [
        ['X-SSO-Token', 'a'],
        ['Authorization', 'Unknown b'],
      ],
    ],
    [
      'several',
      [
        ['X-SSO-Token', 'a'],
        ['X-API-Key', 'b'],
      ],
    ],
  ] as const)('counts %s among %j', (count, pairs) => {
    expect(table(undefined, [SSO]).presentedBy(requestWith(...pairs)).count).toBe(count);
  });

  it('treats a credential of a method that is not accepted as an unknown scheme', () => {
    const strategies = table(['api-key']);
    expect(strategies.presentedBy(requestWith(['Authorization', 'Bearer x']))).toEqual({ count: 'one', by: undefined });
  });

  it('always includes X-API-Key, because the admin key is accepted', () => {
    const strategies = table(['bearer']);
    expect(strategies.presentedBy(requestWith(['X-API-Key', 'x'])).by?.name).toBe('api-key');
  });

  it.each(['basic', 'bearer', 'api-key', 'apikey', 'oauth2', 'SSO', 's so', '', 'x'.repeat(51)])(
    'refuses the name %j of an own strategy',
    (name) => {
      expect(() => table(['api-key'], [{ ...SSO, name }])).toThrow(/^The strategy ".*" needs another name: /);
    },
  );

  it.each([
    ...['Cookie', 'authorization', 'Origin', 'Host', 'Forwarded', 'X-Forwarded-For', 'Content-Language', 'X-API-Key'],
    ...['Idempotency-Key', 'If-Match', 'X-Request-Id', 'constructor', 'X Token', ''],
  ])('refuses the header %j of an own strategy', (header) => {
    expect(() => table(['bearer'], [{ ...SSO, header }])).toThrow(/^The strategy "sso" needs another header: /);
  });

  it('refuses two own strategies with the same name or header', () => {
    expect(() => table(undefined, [SSO, { ...SSO, header: 'X-Other' }])).toThrow(/this one is taken/);
    expect(() => table(undefined, [SSO, { ...SSO, name: 'other', header: 'x-sso-token' }])).toThrow(/is taken/);
  });

  it('refuses a class that is no strategy of Passport', () => {
    const strategy = class {} as unknown as OwnStrategy['strategy'];
    expect(() => table(undefined, [{ ...SSO, strategy }])).toThrow(/extends PassportStrategy/);
  });
});

it('The resource identifier is the base URL without the final slash', () => {
  expect(resourceOf('https://items.example/')).toBe('https://items.example');
});
