import { ConfigError } from '../settings/config-error.js';
import { readTrustedIssuers } from './read-trusted-issuers.js';

const ISSUER = 'https://login.example.com';
const isScope = (value: unknown): boolean => value === 'things:read';
const readText = (value: string): unknown => readTrustedIssuers({ name: 'OAUTH_ISSUERS', value }, isScope);
const read = (...entries: object[]): unknown => readText(JSON.stringify(entries));

describe('A list of trusted issuers', () => {
  it('gets defaults for omitted members', () => {
    expect(read({ issuer: ISSUER, audience: 'things', scope_map: { reader: 'things:read' } })).toEqual([
      {
        issuer: ISSUER,
        audience: ['things'],
        jwksUri: undefined,
        scopeClaim: 'scope',
        subjectClaim: 'sub',
        scopeMap: new Map([['reader', ['things:read']]]),
      },
    ]);
  });

  it.each([
    ['a member that is not known', { issuer: ISSUER, audience: 'things', jwks: 'x' }],
    ['an address whose keys anybody could replace', { issuer: 'http://login.example.com', audience: 'things' }],
    ['no audience', { issuer: ISSUER, audience: [] }],
    ['a scope that the service does not know', { issuer: ISSUER, audience: 'a', scope_map: { reader: 'other:read' } }],
  ])('is refused for an entry with %s', (_, entry) => {
    expect(() => read(entry)).toThrow('OAUTH_ISSUERS has an entry that cannot be used, for example');
  });

  it('is refused if it is not a list, or names an issuer twice', () => {
    expect(() => readText('{')).toThrow(ConfigError);
    const entry = { issuer: ISSUER, audience: 'things' };
    expect(() => read(entry, entry)).toThrow('OAUTH_ISSUERS names an issuer twice, for example');
  });
});
