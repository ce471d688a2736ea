import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '../../data/database/database.js';

import { microsOf } from '../event-id.js';
import { identitySql } from '../event-key.js';
import type { Library } from './library.testing.js';
import { ALL } from './library.testing.js';

/** Events per transaction. */
const BATCH = 50_000;

/** Events of one resource and one owner, numbered from 0. */
export interface ManyEvents {
  readonly count: number;
  readonly objectId: string;
  readonly ownerId: string;
  /** Expression for the type of event number `n`. */
  readonly typeSql: string;
  /** Microseconds between two events; default 1. */
  readonly microsApart?: number;
}

/**
 * Adds events between two events of a book. Each has an audit event whose actor is the owner.
 * @returns The position before the added events.
 */
export async function addManyEvents(
  database: Database,
  library: Library,
  { count, objectId, ownerId, typeSql, microsApart = 1 }: ManyEvents,
): Promise<string> {
  await library.books.create({ mark: 'before', n: 1 }, '/books');
  const { body } = await library.events.page({ limit: 1, descending: true }, () => ALL);
  const first = microsOf(body.after) + 1;
  const { dialect } = database;
  const isSqlite = dialect === 'sqlite';
  const { columns, values } = identitySql(
    dialect,
    `(${String(first)} + n * ${String(microsApart)})`,
    "'8000-000000000000'",
    'event',
  );
  const id = (text: string): string => (isSqlite ? `'${text}'` : `'${text}'::uuid`);
  for (let from = 0; from < count; from += BATCH) {
    const numbers = numbersSql(isSqlite, from, Math.min(from + BATCH, count) - 1);
    await database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO events (${columns}, type, object_id, owner_id, api_version, data)
         SELECT ${values}, ${typeSql}, ${id(objectId)}, ${id(ownerId)}, '2026-11-20', '{"object":{"mark":"' || n || '"}}'
         FROM ${numbers} numbers`,
      );
      await tx.query(
        `INSERT INTO audit_events (${columns}, type, object_id, actor_type, user_id, changed)
         SELECT ${values}, ${typeSql}, ${id(objectId)}, 'user', ${id(ownerId)}, '[]' FROM ${numbers} numbers`,
      );
    });
  }
  // Stamps extend into the future: the next write must come after them.
  while (Date.now() * 1000 <= first + count * microsApart) await sleep(50);
  await library.books.create({ mark: 'behind', n: 1 }, '/books');
  return body.after;
}

function numbersSql(isSqlite: boolean, from: number, to: number): string {
  const [first, last] = [String(from), String(to)];
  if (!isSqlite) return `(SELECT n::bigint FROM generate_series(${first}, ${last}) n)`;
  return `(WITH RECURSIVE n (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM n WHERE n < ${last}) SELECT n FROM n)`;
}
