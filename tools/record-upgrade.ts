import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import {
  createDatabase,
  provideDatabase,
  providePostgres,
  startApp,
  type DatabaseName,
  type TestDatabase,
} from '@items/testing';
import { ENV, record } from './upgrades/record.ts';
import { workspacePath } from './workspace/root.ts';
import { run } from './workspace/run.ts';

/*
 * `npm run tool -- record-upgrade 2026-11-26`: records an SQLite and a PostgreSQL database of this version, and the
 * credentials and cursors that the service issued. `npm test` opens the databases with every later version. Needs
 * `pg_dump`.
 */
const release = process.argv[2];
if (release === undefined || !/^[\w.-]+$/.test(release)) throw new Error('Name the release, such as 2026-11-26.');
const folder = workspacePath(join('apps/api/src/upgrades/released', release));
mkdirSync(folder, { recursive: true });
await recordOn('sqlite', await provideDatabase('sqlite'), async (url) => {
  const copy = join(folder, 'copy.sqlite');
  const database = new DatabaseSync(url.replace('sqlite:', ''));
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  const bytes = readFileSync(copy);
  rmSync(copy);
  return bytes;
});
const server = await providePostgres();
await recordOn('postgres', await createDatabase(server.url), async (url) => {
  const args = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100', url];
  const { ok, output } = await run('pg_dump', args, { output: 'collect' });
  if (!ok) throw new Error(output);
  // Remove `\restrict` (only for psql), comments, and a timeout setting that older servers reject.
  return Buffer.from(output.replace(/^(?:\\(?:un)?restrict .*|--.*|SET transaction_timeout .*)?\n/gm, ''));
});
await server.stop();

async function recordOn(name: DatabaseName, database: TestDatabase, dump: (url: string) => Promise<Buffer>) {
  const app = await startApp({ database: name, databaseUrl: database.url, env: ENV });
  const recorded = await record(app.baseUrl).finally(() => app.stop());
  writeFileSync(join(folder, `${name}.json`), inLines(recorded));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(await dump(database.url), { level: 9 }));
  await database.drop();
}

/** Formats JSON with one line per element of its lists. */
function inLines(recorded: Record<string, unknown>) {
  const members = Object.entries(recorded).map(([name, value]) => {
    const isList = Array.isArray(value);
    const text = isList ? `[\n  ${value.map((each) => JSON.stringify(each)).join(',\n  ')}\n ]` : JSON.stringify(value);
    return ` ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${members.join(',\n')}\n}\n`;
}
