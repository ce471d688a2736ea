import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Sortable, Text } from '@items/fields';

import { runAdmin } from './admin.js';
import { collection } from '../index.js';
import { startForTest } from './started-services.testing.js';

class BookInput {
  @Sortable() @Text({ min: 1, max: 200 }) title!: string;
}

const folder = mkdtempSync(join(tmpdir(), 'items-own-admin-'));
const { argv, exitCode } = process;
afterAll(() => {
  Object.assign(process, { argv, exitCode });
  rmSync(folder, { recursive: true });
});

const settings = { DATABASE_URL: `sqlite:${join(folder, 'books.sqlite')}`, ADMIN_API_KEY: 'k'.repeat(32) };
const options = { collections: [collection({ name: 'books', singular: 'book', input: BookInput })], settings };

/** Returns the output of `npm run admin --` in the repository of a team. */
async function admin(...args: string[]): Promise<string> {
  process.argv = ['node', 'admin.js', ...args];
  const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const audit = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await runAdmin(options);
    return said.mock.calls.join('');
  } finally {
    said.mockRestore();
    audit.mockRestore();
  }
}

it('A service of its own is backed up, counted, put into maintenance and restored by runAdmin()', async () => {
  const backup = join(folder, 'books.backup');
  const service = await startForTest(options);
  await service.admin.post('/books', { title: 'Emma' });
  expect(await admin('backup', backup)).toMatch(/^Backed up to .*books\.backup, and read through: /);
  expect(await admin('recount')).toMatch(/totals/);
  expect(await admin('export', 'books', join(folder, 'books.jsonl'))).toMatch(/\b1 /);
  await service.admin.post('/books', { title: 'Persuasion' });
  expect(await admin('maintenance', 'on', '300')).toMatch(/^Maintenance is on: .* Retry-After: 300\.$/m);
  expect(await admin('maintenance', 'off')).toMatch(/^Maintenance is over: /);
  await service.stop();

  expect(await admin('restore', backup)).toMatch(/^Restored the backup of /);
  const again = await startForTest(options);
  expect((await again.admin.get('/books')).json()).toMatchObject({ books: [{ title: 'Emma' }], total: 1 });
  await again.stop();
});

it('runAdmin() checks the service, and a wrong setting is an error with status 2, not a stack', async () => {
  expect(JSON.parse(await admin('check', '--json'))).toMatchObject({ status: 'warning' });
  expect(process.exitCode).toBe(1);
  process.argv = ['node', 'admin.js', 'check'];
  const said = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await runAdmin({ ...options, settings: { ...settings, EVENT_DAYS: '-1' } });
  const lines = said.mock.calls.join('');
  said.mockRestore();
  expect(lines).toBe(
    'error    settings  EVENT_DAYS must be a number of days above 0, at most 3650, for example EVENT_DAYS=30. Correct it; .env.example describes each.\n',
  );
  expect(process.exitCode).toBe(2);
});
