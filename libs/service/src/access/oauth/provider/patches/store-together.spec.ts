import type { KoaContextWithOIDC } from 'oidc-provider';

import type { AdapterParts } from '../adapter-parts.js';
import { SecondUse, storeTogether } from './store-together.js';

describe('storeTogether()', () => {
  it('reports the error for which an authorization did not end after a second use', async () => {
    const failure = new TypeError('It is broken.');
    const parts = {
      writes: { together: () => Promise.reject(new SecondUse('RefreshToken', 'token')) },
      artifacts: { find: () => Promise.reject(failure) },
    } as unknown as AdapterParts;
    const context = { path: '/oauth/token' } as KoaContextWithOIDC;
    const report = jest.fn();
    await storeTogether(parts, '/oauth/token', report)(context, () => Promise.resolve());
    expect(context.status).toBe(500);
    expect(report.mock.calls).toEqual([[failure]]);
  });
});
