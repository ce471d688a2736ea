import { createDatabase, postgresUnderTest } from '@items/testing';

import { installedCopy } from './consumer.js';

const postgres = postgresUnderTest();
const itOnPostgres = postgres === undefined ? it.skip : it;
const TSC = 'node_modules/typescript/bin/tsc';

/** Installs an app, and runs its scripts one after another. Each script throws if something is wrong. */
async function passes(source: string, files: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const consumer = await installedCopy(source);
  for (const file of files) await consumer.run(file, { env });
}

async function passesOnPostgres(source: string, files: readonly string[]): Promise<void> {
  const { url, drop } = await createDatabase(postgres ?? '');
  try {
    await passes(source, files, { DATABASE_URL: url });
  } finally {
    await drop();
  }
}

describe('With the published packages', () => {
  it('examples/nest-express compiles and passes its test', () => passes('examples/nest-express', [TSC, 'test.js']));

  it('examples/books compiles and passes its test on SQLite', () => passes('examples/books', [TSC, 'test.js']));

  itOnPostgres('examples/books compiles and passes its test on PostgreSQL', () =>
    passesOnPostgres('examples/books', [TSC, 'test.js']),
  );

  it('an app of Nest 12 behaves as docs/nest.md claims', () =>
    (postgres === undefined ? passes : passesOnPostgres)('tools/fixtures/nest-app', [TSC, 'dist/app.test.js']));

  it('an app of Nest 11 works in CommonJS', () => passes('tools/fixtures/nest-11', ['test.cjs']));

  it('an app with moduleResolution "node" compiles and passes its test', () =>
    passes('tools/fixtures/node10', [TSC, 'dist/test.js']));
});
