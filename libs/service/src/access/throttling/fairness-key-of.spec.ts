import type { Principal } from '../principal/principal.js';
import { fairnessKeyOf } from './quota-holders.js';

const principal: Principal = {
  credentialId: 'c1',
  kind: 'bearer',
  userId: 'ada',
  isAdmin: false,
  scopes: new Set(),
  rateLimit: null,
};

describe('The fairness key of a caller', () => {
  it.each<[string, Partial<Principal>, string]>([
    ['a session', {}, 'user:ada'],
    ['Basic', { kind: 'basic' }, 'user:ada'],
    ['a key', { kind: 'api-key' }, 'user:ada c1'],
    ['a token of an application', { delegatedTo: 'shop' }, 'user:ada client:shop'],
    ['a key that an application created', { kind: 'api-key', delegatedTo: 'shop' }, 'user:ada client:shop'],
    ['a linked token of another issuer', { isOutside: true }, 'user:ada c1'],
    ['a client_credentials token', { userId: null }, 'credential:c1'],
    ['a key of the operator', { kind: 'api-key', userId: null }, 'credential:c1'],
  ])('is chosen for %s', (_, changes, fairnessKey) => {
    expect(fairnessKeyOf({ ...principal, ...changes })).toBe(fairnessKey);
  });
});
