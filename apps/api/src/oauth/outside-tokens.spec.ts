import { outsidePrincipal } from './outside-tokens.js';

describe('Who comes with a token of an identity provider outside (OAUTH_ISSUERS)', () => {
  const token = { issuer: 'https://login.example', subject: 'ada', scopes: ['items:read', 'openid'], claims: {} };

  it('is none of our users, and may do what scopes of ours it has', () => {
    const { scopes, ...rest } = outsidePrincipal(token);
    expect([...scopes]).toEqual(['items:read']);
    expect(rest).toMatchObject({ kind: 'bearer', userId: null, isAdmin: false, rateLimit: null });
  });

  it('is another one where issuer or subject is another one, and else the same', () => {
    const ids = [token, { ...token, subject: 'eve' }, { ...token, issuer: 'https://other.example' }, { ...token }].map(
      (each) => outsidePrincipal(each).credentialId,
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });
});
