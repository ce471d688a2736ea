import type { FastifyRequest } from 'fastify';

import { QUEUED_AT } from '../../http/received-request.js';
import { sourceOf } from './request-principal.js';
import type { Principal } from './principal.js';

const USER = '01890000-0000-7000-8000-000000000001';
const OTHER = '01890000-0000-7000-8000-000000000002';
const CLIENT = '01890000-0000-7000-8000-000000000003';

function actorOf(principal: Pick<Principal, 'kind' | 'credentialId' | 'userId'> & Partial<Principal>): unknown {
  const { actorType, userId, credentialId, clientId } = sourceOf({
    principal,
    ip: '127.0.0.1',
    id: 'r1',
    raw: {},
  } as unknown as FastifyRequest);
  return [actorType, userId, credentialId, clientId];
}

describe('SPEC §6.3: the actor of a change', () => {
  it.each([
    ['the admin key', { kind: 'api-key', credentialId: 'admin', userId: null }, ['api_key', null, 'admin', null]],
    ['a key', { kind: 'api-key', credentialId: OTHER, userId: USER }, ['api_key', USER, OTHER, null]],
    [
      'a key of an application',
      { kind: 'api-key', credentialId: OTHER, userId: USER, delegatedTo: CLIENT },
      ['api_key', USER, OTHER, CLIENT],
    ],
    ['Basic', { kind: 'basic', credentialId: `basic:${USER}`, userId: USER }, ['user', USER, null, null]],
    ['a session', { kind: 'bearer', credentialId: OTHER, userId: USER }, ['user', USER, OTHER, null]],
    [
      'a token of an application',
      { kind: 'bearer', credentialId: CLIENT, userId: USER, delegatedTo: CLIENT, approvalId: OTHER },
      ['user', USER, OTHER, CLIENT],
    ],
    ['client_credentials', { kind: 'bearer', credentialId: CLIENT, userId: null }, ['client', null, null, CLIENT]],
    [
      'a token of another issuer',
      { kind: 'bearer', credentialId: 'outside:x', userId: null },
      ['outside', null, null, null],
    ],
  ] as const)('is named for %s', (_name, principal, actor) => {
    expect(actorOf(principal)).toEqual(actor);
  });

  it('includes the time of arrival, because waiting shortens the time limit of a write', () => {
    const request = { principal: null, ip: '127.0.0.1', id: 'r1', raw: { [QUEUED_AT]: 17 } };
    expect(sourceOf(request as unknown as FastifyRequest).sinceMs).toBe(17);
  });
});
