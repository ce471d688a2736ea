import { Client } from 'pg';
import { postgresUnderTest } from '../servers/servers-under-test.js';
import { createDatabase } from './create-database.js';

const describePostgres = postgresUnderTest() === undefined ? describe.skip : describe;

describePostgres('createDatabase', () => {
  it('gives every caller an empty database of its own, and removes it even if a client is connected', async () => {
    const [one, other] = await Promise.all([createDatabase(), createDatabase()]);
    expect(one.url).not.toBe(other.url);
    const client = new Client({ connectionString: one.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
    expect(rows).toEqual([]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(new Client({ connectionString: one.url }).connect()).rejects.toThrow('does not exist');
  });
});
