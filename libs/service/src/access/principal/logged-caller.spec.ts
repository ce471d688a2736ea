import type { FastifyRequest } from 'fastify';

import { loggedCaller } from './request-principal.js';
import type { Principal } from './principal.js';

const USER = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const CLIENT = '01890000-0000-7000-8000-000000000003';

describe('The caller in a line of the access log', () => {
  it.each([
    ['the admin key', { kind: 'api-key', credentialId: 'admin', userId: null }, ['admin', null, null]],
    ['a key of a user', { kind: 'api-key', credentialId: OTHER, userId: USER }, [OTHER, USER, null]],
    [
      'a key of an application',
      { kind: 'api-key', credentialId: OTHER, userId: USER, delegatedTo: CLIENT },
      [OTHER, USER, CLIENT],
    ],
    ['Basic', { kind: 'basic', credentialId: `basic:${USER}`, userId: USER }, [`basic:${USER}`, USER, null]],
    ['a session', { kind: 'bearer', credentialId: OTHER, userId: USER }, [OTHER, USER, 'first-party']],
    [
      'a token of an application',
      { kind: 'bearer', credentialId: CLIENT, userId: USER, delegatedTo: CLIENT, approvalId: OTHER },
      [CLIENT, USER, CLIENT],
    ],
    ['client_credentials', { kind: 'bearer', credentialId: CLIENT, userId: null }, [CLIENT, null, CLIENT]],
    [
      'a linked token of another issuer',
      { kind: 'bearer', credentialId: 'outside:x', userId: USER, isOutside: true },
      ['outside:x', USER, null],
    ],
  ] as const)('names the ids of %s', (_name, principal, ids) => {
    const caller = loggedCaller({ principal } as unknown as FastifyRequest);
    expect([caller?.credentialId, caller?.userId, caller?.clientId]).toEqual(ids);
  });

  it.each([null, undefined])('is missing if the principal is %s', (principal: Principal | null | undefined) => {
    expect(loggedCaller({ principal } as FastifyRequest)).toBeUndefined();
  });
});
