import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { serverKeys } from './server-keys.js';

describeOnBothDatabases('The keys of the authorization server', (under) => {
  it('are the same for instances that start at the same time, and for later ones', async () => {
    const [first, second] = await Promise.all([serverKeys(under.database), serverKeys(under.database)]);
    expect(second).toEqual(first);
    expect(await serverKeys(under.database)).toEqual(first);
    expect(first.signing).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', d: expect.any(String) });
    expect(first.cookies.length).toBeGreaterThanOrEqual(43);
  });
});
