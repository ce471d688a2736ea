import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { createDatabase, providePostgres } from '@items/testing';
import { Sqlite } from '../../../libs/service/dist/data/sqlite/sqlite.js';
import pg from 'pg';

import { startService } from '../service.js';
import { medians, rates } from './measure-size.js';
import { report } from './report-size.js';
import { afterChanges, scenarios } from './scenarios.js';
import { cursorAt, cursorEnv, openService } from './service-parts.js';
import { change, fill } from './tables.js';
import { writes } from './writes.js';

/**
 * `npm run tool -- bench-size`: measures pages and writes as the collection grows, in SQL and over HTTP. Compares them
 * with a plain table that has the same indexes, plain keyset paging and COUNT(*), in the same run.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    changes: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '6' },
  },
});

/** @type {import('./report-size.js').Result[]} */
const results = [];
for (const dialect of /** @type {('sqlite' | 'postgres')[]} */ (options.databases.split(','))) {
  for (const rows of options.sizes.split(',').map(Number)) {
    console.log(`${dialect}, ${rows} rows …`);
    const place = await provide(dialect);
    try {
      results.push({ dialect, rows, measured: await measureAll(place, rows) });
    } finally {
      await place.drop();
    }
  }
}
console.log(report(results));

/** @typedef {Awaited<ReturnType<typeof provide>>} Place */

/** @param {'sqlite' | 'postgres'} dialect */
async function provide(dialect) {
  if (dialect === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'items-size-'));
    const file = join(folder, 'items.sqlite');
    return {
      dialect,
      config: /** @type {const} */ ({ dialect: 'sqlite', file }),
      url: `sqlite:${file}`,
      run: async (/** @type {string} */ sql) => {
        const database = new Sqlite(file);
        database.pragma('cache_size = -200000');
        const statement = database.prepare(sql);
        const rows = statement.reader ? statement.all() : (statement.run(), []);
        database.close();
        return rows;
      },
      drop: async () => rmSync(folder, { recursive: true }),
    };
  }
  const server = await providePostgres();
  if (server.url === undefined) throw new Error(server.note);
  const created = await createDatabase(server.url);
  return {
    dialect,
    config: /** @type {const} */ ({ dialect: 'postgres', url: created.url }),
    url: created.url,
    run: async (/** @type {string} */ sql) => {
      const client = new pg.Client({ connectionString: created.url });
      await client.connect();
      const { rows } = await client.query(sql);
      await client.end();
      return rows;
    },
    drop: async () => {
      await created.drop();
      await server.stop();
    },
  };
}

/** @param {Place} place @param {number} rows */
async function measureAll(place, rows) {
  await (await openService(place.config)).database.close();
  await fill(place, rows);
  const service = await openService(place.config);
  const http = await startService(place.url, cursorEnv);
  /** @type {import('./report-size.js').Measured[]} */
  const measured = [];
  try {
    const middle = await middleOf(service, rows);
    for (const scenario of scenarios) measured.push(await measureScenario(scenario, middle));
    await change(place, rows, Math.min(rows, Number(options.changes)));
    measured.push(await measureScenario(afterChanges, middle));
    for (const write of await writes(service)) {
      const [mine = NaN, plain = NaN] = await rates([write.service, write.plain], Number(options.seconds));
      measured.push({ name: `${write.name}s a second, 16 writers`, unit: '/s', service: mine, plain });
    }
  } finally {
    await http.process.stop();
    await service.database.close();
  }
  return measured;

  /** @param {import('./scenarios.js').Scenario} scenario @param {import('./scenarios.js').Middle} middle */
  async function measureScenario(scenario, middle) {
    const request = scenario.request(middle);
    const path = http.address + scenario.path(middle);
    const [sql = NaN, plain = NaN, overHttp = NaN] = await medians([
      () => service.reader.list(request, '/items'),
      async () => {
        for (const [text, params] of scenario.plain(middle)) await service.database.query(text, params);
      },
      () => answered(path, http.headers),
    ]);
    return { name: scenario.name, unit: 'µs', service: sql, plain, http: overHttp };
  }
}

/** Returns a walk by price that is in the middle of the list. */
async function middleOf(
  /** @type {Awaited<ReturnType<typeof openService>>} */ { reader, database },
  /** @type {number} */ rows,
) {
  const request = { style: 'cursor', limit: 1, sort: [{ field: 'price', descending: false }], filter: {} };
  const { body } = await reader.list(request, '/items');
  const sql = `SELECT id, price FROM plain ORDER BY price, id LIMIT 1 OFFSET ${Math.floor(rows / 2)}`;
  const [row] = await database.query(sql);
  const place = { key: [row.price], id: row.id };
  return { rows, place, cursor: cursorAt(body.next_cursor, place) };
}

async function answered(/** @type {string} */ url, /** @type {Record<string, string>} */ headers) {
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}
