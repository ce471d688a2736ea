import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConsumer, consumerIn } from './consumer.js';

const TSC = 'node_modules/typescript/bin/tsc';

/** Start of both scripts: runs the team's collection on its own database. */
const START = `
import { startService } from '@items/service';
import { books } from './dist/books.js';
const ADMIN_API_KEY = 'k'.repeat(40);
const settings = { DATABASE_URL: 'sqlite:./books.sqlite', PORT: '0', ADMIN_API_KEY, LOG_LEVEL: 'error' };
const service = await startService({ collections: [books], settings, signals: false });
const ask = async (path, body) => {
  const headers = { 'x-api-key': ADMIN_API_KEY, 'content-type': 'application/json' };
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(service.url + path, { headers, ...options });
  const json = await response.json();
  if (!response.ok) throw new Error(path + ': ' + JSON.stringify(json));
  return json;
};
`;

/** Writes 25 books, starts a walk through them, and writes one more. */
const BEFORE = `${START}
const add = (n) => ask('/books', { title: 'Book ' + String(n).padStart(2, '0'), author: 'A', year: n });
for (let n = 0; n < 25; n += 1) await add(n);
const { books: page, next_cursor: cursor } = await ask('/books?sort=title&limit=10');
const late = await add(5);
await service.stop();
console.log(JSON.stringify({ page, cursor, late }));
`;

/** Reads the data of the previous release, and continues its walk. */
const AFTER = `${START}
import assert from 'node:assert/strict';
const { page, cursor, late } = JSON.parse(process.argv[2]);
assert.deepEqual(await ask('/books/' + late.id), late);
assert.equal((await ask('/books?per_page=1')).total, 26);
const seen = [...page];
for (let next = cursor; next !== undefined; ) {
  const { books: rows, next_cursor } = await ask('/books?sort=title&limit=10&cursor=' + next);
  seen.push(...rows);
  next = next_cursor;
}
assert.deepEqual(seen.map(({ year }) => year), Array.from({ length: 25 }, (_, n) => n));
await ask('/books', { title: 'New', author: 'B' });
await service.stop();
`;

/**
 * Installs a team's repository with one release, and updates it with `npm update` to the next. Without any change of
 * the code, it must compile, pass its tests, find its data, and continue an open walk.
 * @param {string} folder working folder.
 * @param {string} registry
 * @param {() => Promise<string>} publishNext publishes the next release, and returns its version.
 * @returns {Promise<string[]>} problems.
 */
export async function tryUpgrade(folder, registry, publishNext) {
  try {
    const creator = createConsumer(folder, registry);
    await creator.install(['@items/create-service']);
    await creator.run('node_modules/@items/create-service/dist/cli.js', undefined, {}, ['team']);
    const team = consumerIn(join(folder, 'team'), registry);
    await team.install([]);
    const former = versions(team.folder);
    await buildAndTest(team);
    const left = (await team.run('before.mjs', BEFORE)).trim();
    const sources = sourcesOf(team.folder);
    const next = await publishNext();
    await team.update();
    assert.deepEqual(
      new Set(Object.values(versions(team.folder))),
      new Set([next]),
      `npm update left ${JSON.stringify(former)}`,
    );
    assert.deepEqual(sourcesOf(team.folder), sources, 'npm update changes no line');
    await buildAndTest(team);
    await team.run('after.mjs', AFTER, {}, [left]);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function buildAndTest(/** @type {ReturnType<typeof consumerIn>} */ team) {
  await team.run(TSC);
  await team.run('dist/service.test.js');
}

/** Returns the versions of our packages. @param {string} folder @returns {Record<string, string>} */
function versions(folder) {
  const ours = join(folder, 'node_modules/@items');
  return Object.fromEntries(
    readdirSync(ours).map((name) => [name, JSON.parse(readFileSync(join(ours, name, 'package.json'), 'utf8')).version]),
  );
}

/** Returns the files that a team commits to its repository. @param {string} folder */
function sourcesOf(folder) {
  const files = ['package.json', 'tsconfig.json', ...readdirSync(join(folder, 'src')).map((file) => `src/${file}`)];
  return files.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);
}
