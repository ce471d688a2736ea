import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { findSetupToken, isSetupOffered, makeSetupToken, setupLink, takeSetupToken } from './setup-token.js';

const DAY_MS = 24 * 60 * 60 * 1000;

describe('The setup link', () => {
  it('has the token in the fragment', () => {
    expect(setupLink('https://shop.example/api', 't0ken')).toBe('https://shop.example/api/console/setup#t0ken');
  });

  it('is not offered if the operator set a key, or if people log in without passwords', () => {
    expect(isSetupOffered({ adminApiKey: undefined, oidcLogin: undefined })).toBe(true);
    expect(isSetupOffered({ adminApiKey: 'k'.repeat(40), oidcLogin: undefined })).toBe(false);
  });
});

describeOnBothDatabases('The token of the first administrator', (under) => {
  const make = (nowMs?: number): Promise<string> => under.database.transaction((tx) => makeSetupToken(tx, nowMs));

  it('is found for one day', async () => {
    const token = await make(1_000);
    expect(await findSetupToken(under.database, token, 1_000)).toBeDefined();
    expect(await findSetupToken(under.database, token, 999 + DAY_MS)).toBeDefined();
    expect(await findSetupToken(under.database, token, 1_000 + DAY_MS)).toBeUndefined();
    expect(await findSetupToken(under.database, `${token}x`, 1_000)).toBeUndefined();
  });

  it('is not stored itself, and is replaced by the next one', async () => {
    const first = await make();
    const second = await make();
    expect(await findSetupToken(under.database, first)).toBeUndefined();
    const stored = await findSetupToken(under.database, second);
    expect(stored).toBeDefined();
    expect(stored).not.toContain(second);
  });

  it('can be used once, by one of several concurrent requests', async () => {
    const value = (await findSetupToken(under.database, await make())) ?? '';
    const taken = await Promise.all([1, 2, 3].map(() => under.database.transaction((tx) => takeSetupToken(tx, value))));
    expect(taken.filter(Boolean)).toEqual([true]);
  });
});
