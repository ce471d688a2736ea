import type { MaybePromise } from '@items/conventions';

import type { Principal } from '../../principal/principal.js';
import type { AuthOptions } from '../auth-options.js';
import { BearerStrategy } from './bearer.strategy.js';

const ada = { credentialId: 'ada', kind: 'bearer' } as unknown as Principal;
const bob = { credentialId: 'bob', kind: 'bearer' } as unknown as Principal;

/** An issuer of one token, which is cached or not. */
function issuerOf(token: string, caller: Principal, isCached: boolean): AuthOptions['bearerTokens'][number] {
  return {
    isCached: (sent: string) => isCached && sent === token,
    authenticate: (sent: string): MaybePromise<Principal | null> => (sent === token ? caller : null),
  };
}

const strategy = new BearerStrategy({
  bearerTokens: [issuerOf('a.b-c_d~e+f/g==', ada, false), issuerOf('second', bob, true)],
});

function bearing(authorization?: string): { headers: { authorization?: string } } {
  return { headers: authorization === undefined ? {} : { authorization } };
}

describe('Authorization: Bearer', () => {
  it.each([
    ['Bearer a.b-c_d~e+f/g==', ada],
    ['bearer second', bob],
    ['BEARER  second', bob],
    ['Bearer unknown', null],
    ['Bearer second, Bearer second', null],
    ['Bearer', null],
    ['Bearersecond', null],
    ['Basic second', null],
    [undefined, null],
  ])('%s gives the caller of its issuer', async (header, caller) => {
    expect(await strategy.validate(bearing(header))).toBe(caller);
  });

  it('cached() is synchronous for a cached token, and undefined for others', () => {
    expect(strategy.cached(bearing('Bearer second'))).toBe(bob);
    expect(strategy.cached(bearing('Bearer a.b-c_d~e+f/g=='))).toBeUndefined();
    expect(strategy.cached(bearing())).toBeUndefined();
  });
});
