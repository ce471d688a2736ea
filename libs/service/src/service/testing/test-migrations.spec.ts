import { onBothDatabases, type TestDatabaseConfig } from '@items/testing';

import { composition } from './fixture.testing.js';
import { TestMigrations } from './test-migrations.js';

const open = (config: TestDatabaseConfig): Promise<TestMigrations> =>
  TestMigrations.open(composition, config.dialect === 'postgres' ? config.url : `sqlite:${config.file}`);

onBothDatabases('TestMigrations', open, (under) => {
  const done = async (): Promise<string[]> => {
    const rows = await under.database.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  };

  it('runs all migrations, undoes the newest ones down to one, and runs these again', async () => {
    const { database } = under;
    await database.redo();
    expect(await done()).toEqual(database.names);
    const at = database.names.indexOf('CreateWebhooks1763000000050');
    expect(at).toBeGreaterThan(0);
    await database.undo('CreateWebhooks1763000000050');
    expect(await done()).toEqual(database.names.slice(0, at));
    await database.redo();
    expect(await done()).toEqual(database.names);
  });

  it('names a migration that there is not', async () => {
    await expect(under.database.undo('Unknown')).rejects.toThrow('There is no migration Unknown.');
  });
});
