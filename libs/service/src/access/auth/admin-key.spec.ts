import { hashSecret, isWellFormed } from '../credentials/secrets/secret.js';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { openFixtureDatabase } from '../../service/testing/fixture-database.testing.js';
import { AdminKey } from './admin-key.js';

import { permissions } from '../../service/testing/fixture.testing.js';

describeOnBothDatabases('The admin key (SPEC §10)', (under) => {
  let printed: string[];

  beforeEach(async () => {
    printed = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    await under.database.transaction((tx) => tx.query('DELETE FROM settings'));
  });
  afterEach(() => jest.restoreAllMocks());

  async function start(adminApiKey?: string, database = under.database): Promise<AdminKey> {
    const admin = new AdminKey({ adminApiKey }, database, permissions);
    await admin.onModuleInit();
    return admin;
  }

  it('is created and printed once, on the first start, for any number of concurrently starting instances', async () => {
    const other = await openFixtureDatabase(under.config);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => start(undefined, index % 2 === 0 ? other : under.database)),
    );
    await other.close();
    await start();
    expect(printed).toHaveLength(1);
    const [key = ''] = /itk_\w+/.exec(printed.join('')) ?? [];
    expect(isWellFormed(key)).toBe(true);
    expect(printed[0]).toContain(`\n  export ADMIN_API_KEY=${key}\n`);
    const admin = await start();
    expect(await admin.authenticate(hashSecret(key))).toMatchObject({ credentialId: 'admin', rateLimit: null });
    expect(await admin.authenticate(hashSecret(`${key}x`))).toBeNull();
    const stored = await under.database.query('SELECT * FROM settings');
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('ADMIN_API_KEY replaces it at the start, and the former key stops working within 5 s', async () => {
    const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
    const before = await start(first);
    expect(await before.authenticate(hashSecret(first))).not.toBeNull();
    const after = await start(second);
    expect(await after.authenticate(hashSecret(second))).not.toBeNull();
    expect(await after.authenticate(hashSecret(first))).toBeNull();
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5000);
    expect(await before.authenticate(hashSecret(first))).toBeNull();
    expect(await before.authenticate(hashSecret(second))).not.toBeNull();
    expect(printed).toEqual([]);
  });

  it('stays the same if ADMIN_API_KEY is no longer set', async () => {
    await start('a'.repeat(32));
    const admin = await start();
    expect(await admin.authenticate(hashSecret('a'.repeat(32)))).not.toBeNull();
    expect(printed).toEqual([]);
  });

  it('one start with ADMIN_API_KEY replaces a generated key that was lost', async () => {
    await start();
    const [lost = ''] = /itk_\w+/.exec(printed.join('')) ?? [];
    await start('b'.repeat(32));
    const admin = await start();
    expect(await admin.authenticate(hashSecret('b'.repeat(32)))).not.toBeNull();
    expect(await admin.authenticate(hashSecret(lost))).toBeNull();
    expect(printed).toHaveLength(1);
  });

  it('a temporary second key exists only while the work of the process that uses it runs', async () => {
    const admin = await start('a'.repeat(32));
    const [other, lent] = [await start(), [] as string[]];
    await expect(
      admin.withTemporaryKey(async (key) => {
        lent.push(key);
        expect(await admin.authenticate(hashSecret(key))).toMatchObject({ credentialId: 'self' });
        expect(await other.authenticate(hashSecret(key))).toBeNull();
        expect(await admin.authenticate(hashSecret('a'.repeat(32)))).not.toBeNull();
        throw new Error('broken off');
      }),
    ).rejects.toThrow('broken off');
    expect(await admin.authenticate(hashSecret(lent[0] ?? ''))).toBeNull();
  });

  it('is read again after the database was down', async () => {
    const admin = await start('a'.repeat(32));
    const query = jest.spyOn(under.database, 'query').mockRejectedValueOnce(new Error('down'));
    await expect(admin.authenticate(hashSecret('x'))).rejects.toThrow('down');
    expect(await admin.authenticate(hashSecret('a'.repeat(32)))).not.toBeNull();
    query.mockRestore();
  });
});
