import type { CursorPage } from '@items/conventions';
import type { Item } from '@items/dtos/contract';
import { TestMigrations } from '@items/service/testing';
import { onBothDatabases } from '@items/testing';
import pg from 'pg';

import { AppModule } from '../app.module.js';
import { items } from '../items/item.collection.js';
import { startOn, urlOf } from './upgraded-service.testing.js';

/** Number of rows. `npm run tool -- check-walks` sets a million. */
const ROWS = Number(process.env['CHECK_MIGRATION_ROWS'] ?? 5000);
const LIMIT_MS = 900_000;
/** Colours that SQL and JSON escape differently. */
const COLORS = [
  'red',
  'a "quote"',
  'back\\slash',
  "it's",
  'tab\tnew\nline',
  '\u0001\u001f\u007f',
  'цвет',
  '🎨',
  '\u2028',
];

onBothDatabases('Items that were there before versions and counters', openMigrated, (under) => {
  const isPostgres = (): boolean => under.config.dialect === 'postgres';

  beforeAll(async () => {
    await backToFirst();
    await insertRows();
  }, LIMIT_MS);

  const backToFirst = (): Promise<void> => under.database.undo('IndexItems1763000000002');

  /** Inserts rows with ids and times like those of the service. Every eleventh item has no colour. */
  async function insertRows(): Promise<void> {
    const colors = COLORS.map((color, index) => `WHEN ${String(index)} THEN ${literal(color)}`).join(' ');
    const made = `1700000000000 + i`;
    const [id, series] = isPostgres()
      ? [
          `(lpad(to_hex((${made}) >> 16), 8, '0') || '-' || lpad(to_hex((${made}) & 65535), 4, '0') ||
            '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`,
          `generate_series(1::bigint, ${String(ROWS)}) AS s (i)`,
        ]
      : [
          `printf('%08x-%04x-7000-8000-%012x', (${made}) >> 16, (${made}) & 65535, i)`,
          `(WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${String(ROWS)}) SELECT i FROM s)`,
        ];
    const sql = `INSERT INTO items (id, created_at, updated_at, name, color, price)
      SELECT ${id}, ${made}, ${made}, 'item ' || i, CASE i % ${String(COLORS.length + 2)} ${colors} END, i % 1000
      FROM ${series}`;
    await under.database.query(sql);
  }

  /** Returns the longest wait of concurrent writes during the migration. On SQLite the writer is this process itself. */
  async function migrateAmongWrites(): Promise<number> {
    const { config } = under;
    if (config.dialect === 'sqlite') {
      const begunAt = performance.now();
      await under.database.redo();
      return performance.now() - begunAt;
    }
    let over = false;
    let longestMs = 0;
    // Writes of the previous version: they carry no stamp, so walks would miss them.
    const refused = (error: unknown): void => {
      expect(error).toHaveProperty('message', expect.stringMatching(/^A row of items was changed without a stamp: /));
      over = true;
    };
    const writing = withClient(config.url, async (client) => {
      const { rows } = await client.query<{ id: string }>('SELECT id FROM items LIMIT 1');
      while (!over) {
        const begunAt = performance.now();
        await client.query("UPDATE items SET description = 'changed' WHERE id = $1", [rows[0]?.id]).catch(refused);
        longestMs = Math.max(longestMs, performance.now() - begunAt);
      }
    });
    await under.database.redo();
    over = true;
    await writing;
    return longestMs;
  }

  async function counted(): Promise<{ total: number; byColor: Record<string, number> }> {
    const lanes = await under.database.query<{ n: string }>(
      "SELECT sum(n) AS n FROM collection_lanes WHERE collection = 'items'",
    );
    const groups = await under.database.query<{ grp: string; n: string }>(
      "SELECT grp, sum(n) AS n FROM collection_counts WHERE collection = 'items' GROUP BY grp",
    );
    return { total: Number(lanes[0]?.n), byColor: Object.fromEntries(groups.map(({ grp, n }) => [grp, Number(n)])) };
  }

  async function expectForward(): Promise<void> {
    const rows = await under.database.query<{ color: string | null; n: string }>(
      'SELECT color, count(*) AS n FROM items GROUP BY color',
    );
    // Group keys in the format of stored totals.
    const byColor = rows
      .filter(({ color }) => color !== null)
      .map(({ color, n }) => [JSON.stringify([['color'], [color]]), Number(n)] as const);
    expect(await counted()).toEqual({ total: ROWS, byColor: Object.fromEntries(byColor) });
    expect(byColor).toHaveLength(COLORS.length);
    await expect(under.database.query("UPDATE items SET description = 'raw'")).rejects.toHaveProperty(
      'message',
      expect.stringMatching(/A row of items was changed without a stamp: /),
    );
  }

  it(
    `come forward with right totals, back, and forward again (${String(ROWS)} rows)`,
    async () => {
      const lockedMs = await migrateAmongWrites();
      if (process.env['CHECK_MIGRATION_ROWS'] !== undefined) {
        process.stdout.write(
          `${under.config.dialect}: ${String(ROWS)} rows, writers waited ${lockedMs.toFixed(0)} ms at most\n`,
        );
      }
      await expectForward();
      await backToFirst();
      expect(await under.database.query('SELECT count(*) AS n FROM items')).toEqual([{ n: ROWS }]);
      await migrateAmongWrites();
      await expectForward();
    },
    LIMIT_MS,
  );

  it('are listed, walked and filtered like any other', async () => {
    const { admin, stop } = await startOn(under.config);
    const pageOf = async (query: string): Promise<CursorPage<'items', Item>> => {
      const answer = await admin.get(`/items?${query}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return answer.json() as CursorPage<'items', Item>;
    };
    const first = await pageOf('limit=2&sort=-created_at');
    const second = await pageOf(`limit=2&sort=-created_at&cursor=${first.next_cursor ?? ''}`);
    const names = [...first.items, ...second.items].map(({ name }) => name);
    expect(names).toEqual([0, 1, 2, 3].map((back) => `item ${String(ROWS - back)}`));
    const odd = await pageOf(`limit=1&color=${encodeURIComponent('\u0001\u001f\u007f')}`);
    expect(odd.items[0]).toMatchObject({ name: 'item 5' });
    await stop();
  });

  it('have the columns that the collection says', async () => {
    const columns = isPostgres()
      ? await under.database.query<{ name: string; nullable: boolean }>(
          `SELECT column_name AS name, is_nullable = 'YES' AS nullable FROM information_schema.columns
           WHERE table_name = 'items' ORDER BY column_name`,
        )
      : (
          await under.database.query<{ name: string; notnull: number }>(
            "SELECT * FROM pragma_table_info('items') ORDER BY name",
          )
        ).map(({ name, notnull }) => ({ name, nullable: notnull === 0 }));
    const own = items.columns.map(({ name, nullable }) => ({ name, nullable }));
    expect(columns).toEqual(own.sort((a, b) => (a.name < b.name ? -1 : 1)));
  });
});

async function openMigrated(config: Parameters<typeof urlOf>[0]): Promise<TestMigrations> {
  const migrations = await TestMigrations.open(AppModule, urlOf(config));
  await migrations.redo();
  return migrations;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
