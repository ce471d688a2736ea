import { parseArgs } from 'node:util';

import { askPostgres } from '@items/testing';

import { Sqlite } from '../../../libs/service/dist/data/sqlite/sqlite.js';
import { provideDatabase } from '../database.ts';
import { startService } from '../service.ts';
import { medians, rates } from './measure-size.ts';
import { report, type Measured, type Result } from './report-size.ts';
import { afterChanges, scenarios, type Middle, type Scenario } from './scenarios.ts';
import { cursorAt, cursorEnv, openService } from './service-parts.ts';
import { changeRows, fill, type Dialect, type Row } from './tables.ts';
import { writes } from './writes.ts';

/**
 * `npm run tool -- bench-size`: measures pages (in SQL and over HTTP) and writes (in SQL) as the collection grows.
 * Compares them, in the same run, with keyset paging and COUNT(*) on a plain table with the same indexes.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    changes: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '6' },
  },
});

const results: Result[] = [];
for (const dialect of options.databases.split(',') as Dialect[]) {
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

type Place = Awaited<ReturnType<typeof provide>>;

async function provide(dialect: Dialect) {
  const { url, drop } = await provideDatabase(dialect);
  if (dialect === 'postgres') {
    return { dialect, config: { dialect, url }, url, run: (sql: string) => askPostgres<Row>(url, sql), drop };
  }
  const file = url.replace('sqlite:', '');
  const run = async (sql: string) => {
    const database = new Sqlite(file);
    database.pragma('cache_size = -200000');
    const statement = database.prepare(sql);
    const rows = statement.reader ? statement.all() : (statement.run(), []);
    database.close();
    return rows as Row[];
  };
  return { dialect, config: { dialect, file }, url, run, drop };
}

async function measureAll(place: Place, rows: number) {
  await (await openService(place.config)).database.close();
  await fill(place, rows);
  const service = await openService(place.config);
  const http = await startService(place.url, cursorEnv);
  const measured: Measured[] = [];
  try {
    const middle = await middleOf(service, rows);
    for (const scenario of scenarios) measured.push(await measureScenario(scenario, middle));
    await changeRows(place, rows, Math.min(rows, Number(options.changes)));
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

  async function measureScenario(scenario: Scenario, middle: Middle) {
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

/** Returns the middle position of the list sorted by price. */
async function middleOf({ reader, database }: Awaited<ReturnType<typeof openService>>, rows: number) {
  const request = { style: 'cursor', limit: 1, sort: [{ field: 'price', descending: false }], filter: {} };
  const { body } = await reader.list(request, '/items');
  const sql = `SELECT id, price FROM plain ORDER BY price, id LIMIT 1 OFFSET ${Math.floor(rows / 2)}`;
  const [row] = await database.query(sql);
  const place = { key: [row.price], id: row.id };
  return { rows, place, cursor: cursorAt(body.next_cursor, place) };
}

async function answered(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
}
