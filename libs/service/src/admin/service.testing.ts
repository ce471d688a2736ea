import { Schema } from '../data/schema/schema.js';
import { loadConfig } from '../runtime/config/load-config.js';
import { openDatabase } from '../data/opening/open-database.js';
import type { Database } from '../data/database/database.js';
import type { DatabaseConfig, DatabaseSchema } from '../data/database/database-options.js';
import { onBothDatabases, type DatabaseUnderTest } from '@items/testing';

import type { OperationContext } from './operation.js';

type Migration = InstanceType<DatabaseSchema['migrations'][number]>;
type Runner = Parameters<Migration['up']>[0];

class CreateNotes1700000000001 implements Migration {
  readonly name = 'CreateNotes1700000000001';

  async up(runner: Runner): Promise<void> {
    const schema = new Schema(runner);
    const { text, int, float } = schema;
    await schema.createCollection({
      table: 'notes',
      columns: [`body ${text} NOT NULL`, `weight ${float}`, `price ${int}`],
      sortable: [{ column: 'created_at' }],
      filters: [],
    });
    const stored = schema.dialect === 'sqlite' ? ' WITHOUT ROWID' : '';
    await schema.run(`CREATE TABLE places (name text NOT NULL PRIMARY KEY, at ${int} NOT NULL)${stored}`);
    const number = schema.dialect === 'sqlite' ? 'number INTEGER PRIMARY KEY, ' : '';
    await schema.run(`CREATE TABLE lines (${number}line text NOT NULL)`);
  }
}

class RankNotes1700000000002 implements Migration {
  readonly name = 'RankNotes1700000000002';

  async up(runner: Runner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run(`ALTER TABLE notes ADD COLUMN rank ${schema.int}`);
    await schema.rewriteRows('notes', 'UPDATE notes SET rank = 7');
  }
}

export const SCHEMA: DatabaseSchema = { migrations: [CreateNotes1700000000001] };
export const LATER_SCHEMA: DatabaseSchema = { migrations: [CreateNotes1700000000001, RankNotes1700000000002] };

/** Creates a context that discards the output, unless `more` overrides it. */
export function operationContext(
  database: DatabaseConfig,
  schema: DatabaseSchema = SCHEMA,
  more: Partial<OperationContext> = {},
): OperationContext {
  return {
    database,
    schema,
    config: { ...loadConfig({}), database },
    print: () => undefined,
    exitWith: () => undefined,
    warn: () => undefined,
    progress: { at: () => undefined, end: () => undefined },
    audit: () => undefined,
    setupBaseUrl: undefined,
    collections: [],
    counted: [],
    events: { apiVersion: '2026-11-20', keptMs: 1000 },
    readJson: (bytes) => Promise.resolve(JSON.parse(Buffer.from(bytes).toString())),
    ...more,
  };
}

/** Texts that reveal wrong encoding or quoting. */
const BODIES = ['plain', 'naïve – "quoted" \\ back', 'two\nlines\r\n\u2028', '😀𝒳', '{"table":"notes"}', ''];

/** Runs the same specs with notes on both databases. */
export function describeService(title: string, specs: (under: DatabaseUnderTest<Database>) => void): void {
  onBothDatabases(title, (config: DatabaseConfig) => openDatabase(config, SCHEMA), specs);
}

export async function addNotes(database: Database, count: number): Promise<void> {
  await database.transaction(async (tx) => {
    const [known] = await tx.query<{ n: number }>('SELECT count(*) AS n FROM notes');
    const first = known?.n ?? 0;
    for (let n = first; n < first + count; n += 1) {
      const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
      await tx.query(
        `INSERT INTO notes (id, created_at, updated_at, lane, seq, body, weight, price)
         VALUES ($1, $2, $2, 0, $2, $3, $4, $5)`,
        [id, 1_795_170_600_000_000 + n, String(BODIES[n % BODIES.length]), n % 2 ? n / 3 : null, n % 3 ? n : null],
      );
    }
    await tx.query("UPDATE collection_lanes SET n = n + $1 WHERE collection = 'notes' AND lane = 0", [count]);
  });
}

/** Inserts notes into an empty table by one statement: enough for a slow operation. */
export async function addManyNotes(database: Database, count: number): Promise<void> {
  const id = database.dialect === 'sqlite' ? "printf('%012x', n)" : "lpad(to_hex(n), 12, '0')";
  const uuid = `'00000000-0000-7000-8000-' || ${id}`;
  await database.transaction(async (tx) => {
    await tx.query(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${String(count - 1)})
       INSERT INTO notes (id, created_at, updated_at, lane, seq, body)
       SELECT ${database.dialect === 'sqlite' ? uuid : `(${uuid})::uuid`}, n, n, 0, n, 'Note number ' || n FROM numbers`,
    );
    await tx.query("UPDATE collection_lanes SET n = $1 WHERE collection = 'notes' AND lane = 0", [count]);
  });
}
