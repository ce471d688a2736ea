import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readManifest } from '@items/tools/packages/publishable.ts';
import { startRegistry, type Registry } from '@items/tools/packages/registry.ts';

import { consumerIn, createConsumer, newFolder, type Consumer } from './consumer.js';
import { nextRelease } from './next-release.js';
import { published, tarballOf } from './published.js';

/** Runs `npm create @items/service <name>`, and `npm install` in the new folder. */
async function created(name: string, registry?: string): Promise<Consumer> {
  const creator = createConsumer(registry);
  await creator.install('@items/create-service');
  await creator.run('node_modules/@items/create-service/dist/cli.js', { args: [name] });
  const service = consumerIn(join(creator.folder, name), registry);
  await service.install();
  return service;
}

async function compilesAndPasses(service: Consumer): Promise<void> {
  await service.run('node_modules/typescript/bin/tsc');
  await service.run('dist/service.test.js');
}

describe('A service of npm create @items/service', () => {
  let service: Consumer;
  beforeAll(async () => {
    service = await created('my-service');
    await compilesAndPasses(service);
  });

  it('counts its members with npm run admin -- recount', async () => {
    await service.runScript('admin', 'recount');
  });

  it('writes a backup with npm run admin -- backup', async () => {
    expect(await service.runScript('admin', 'backup', 'books.backup')).toContain('Backed up to books.backup');
  });
});

/** Beginning of both scripts: starts the team's collection on its own database. */
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

/** Reads the late book and the total, continues the walk, and writes a book. */
const AFTER = `${START}
const { page, cursor, late } = JSON.parse(process.argv[2]);
const found = await ask('/books/' + late.id);
const { total } = await ask('/books?per_page=1');
const seen = [...page];
for (let next = cursor; next !== undefined; ) {
  const { books: rows, next_cursor } = await ask('/books?sort=title&limit=10&cursor=' + next);
  seen.push(...rows);
  next = next_cursor;
}
const { title } = await ask('/books', { title: 'New', author: 'B' });
await service.stop();
console.log(JSON.stringify({ found, total, years: seen.map(({ year }) => year), title }));
`;

describe("npm update to the next release, in a team's repository", () => {
  // A separate registry, because otherwise all other specs would get the next release.
  let registry: Registry;
  let team: Consumer;
  let next: string;
  let left: string;
  let sources: object;

  beforeAll(async () => {
    registry = await startRegistry(newFolder());
    for (const each of published.packed) await registry.publish(each, tarballOf(each));
    team = await created('team', registry.url);
    await compilesAndPasses(team);
    left = (await team.runText('before.mjs', BEFORE)).trim();
    sources = sourcesOf(team.folder);
    const release = nextRelease(published.packed, newFolder());
    next = release.version;
    for (const each of release.packages) await registry.publish(each, each.tarball);
    await team.update();
  });
  afterAll(() => {
    registry.stop();
  });

  it('brings each of our packages to that release', () => {
    const ours = join(team.folder, 'node_modules/@items');
    const versions = readdirSync(ours).map((name) => [name, readManifest(join(ours, name, 'package.json')).version]);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions).toEqual(versions.map(([name]) => [name, next]));
  });

  it('changes no line of the team', () => {
    expect(sourcesOf(team.folder)).toEqual(sources);
  });

  it('keeps the code compiling and its test passing', () => compilesAndPasses(team));

  it('leaves the data readable and an open walk exact', async () => {
    const seen = JSON.parse(await team.runText('after.mjs', AFTER, left)) as object;
    const { late } = JSON.parse(left) as { readonly late: object };
    const years = Array.from({ length: 25 }, (_, year) => year);
    expect(seen).toEqual({ found: late, total: 26, years, title: 'New' });
  });
});

/** Returns hashes of the files that a team commits to its repository. */
function sourcesOf(folder: string): Record<string, string> {
  const files = ['package.json', 'tsconfig.json', ...readdirSync(join(folder, 'src')).map((file) => `src/${file}`)];
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}
