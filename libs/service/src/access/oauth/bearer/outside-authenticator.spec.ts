import { outsidePrincipal } from './outside-authenticator.js';

import { permissions } from '../../../service/testing/fixture.testing.js';

describe('The principal of a token of an outside identity provider (OAUTH_ISSUERS)', () => {
  const token = {
    ...{ issuer: 'https://login.example', subject: 'ada', person: 'ada', areScopesMapped: false },
    scopes: ['items:read', 'openid'],
  };
  const account = {
    id: '01890000-0000-7000-8000-000000000001',
    username: 'ada',
    name: null,
    email: null,
    role: 'admin',
    disabled: false,
    scopes: new Set(['items:read', 'orders:read'] as const),
    credentialsVersion: 1,
  } as const;

  it('is not a user of the service, and has the permissions of its scopes', () => {
    const { scopes, ...rest } = outsidePrincipal(token, null, permissions);
    expect([...scopes]).toEqual(['items:read']);
    expect(rest).toMatchObject({ kind: 'bearer', userId: null, isAdmin: false, rateLimit: null });
  });

  it('is the linked user, within the scopes of both, and never an administrator', () => {
    const { scopes, ...rest } = outsidePrincipal(
      { ...token, scopes: ['items:read', 'items:write'] },
      account,
      permissions,
    );
    expect([...scopes]).toEqual(['items:read']);
    expect(rest).toMatchObject({ kind: 'bearer', userId: account.id, isAdmin: false, isOutside: true });
  });

  it('differs if the issuer or the subject differs, and else is the same', () => {
    const ids = [token, { ...token, subject: 'eve' }, { ...token, issuer: 'https://other.example' }, { ...token }].map(
      (each) => outsidePrincipal(each, null, permissions).credentialId,
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids[3]).toBe(ids[0]);
  });
});
