import { recount, type WrongTotal } from '../../data/writes/recount.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { Queryable } from '../../data/database/database.js';

import type { OperationContext } from '../operation.js';
import { formatCount } from '../check/finding.js';
import { withPostgres } from '../session/postgres-session.js';
import { withDatabase } from '../session/with-database.js';

/** Maximum number of listed totals per collection; further totals are only counted. */
const LISTED = 20;

/** Corrects the totals of all collections; the service may be running. */
export async function recountAll(
  context: Pick<OperationContext, 'database' | 'schema' | 'counted' | 'print' | 'audit'>,
): Promise<string> {
  const { counted, print, audit } = context;
  let corrected = 0;
  await withDatabase(context, (database) =>
    withReader(context.database, database, async (reader) => {
      for (const collection of counted) {
        const wrong = await recount(reader, database, collection);
        if (wrong.length === 0) continue;
        for (const each of wrong.slice(0, LISTED)) print(`${collection.name}: ${formatWrongTotal(each)}`);
        if (wrong.length > LISTED) print(`${collection.name}: … and ${String(wrong.length - LISTED)} more totals.`);
        audit('totals_corrected', null, { collection: collection.name, totals: wrong.length });
        corrected += wrong.length;
      }
    }),
  );
  const collections = formatCount(counted.length, 'collection');
  if (corrected === 0) return `Recounted ${collections}: all totals were right.`;
  return `Recounted ${collections}: ${corrected === 1 ? '1 total was wrong, and is' : `${String(corrected)} totals were wrong, and are`} right now.`;
}

/** Uses no time-outs on PostgreSQL, because counting may take longer than a request. */
function withReader(
  config: DatabaseConfig,
  database: Queryable,
  work: (reader: Queryable) => Promise<void>,
): Promise<void> {
  if (config.dialect === 'sqlite') return work(database);
  return withPostgres(config.url, (client) =>
    work({
      query: async <Row>(sql: string, params: readonly unknown[] = []) =>
        (await client.query<object>(sql, [...params])).rows as Row[],
    }),
  );
}

function formatWrongTotal({ fields, values, counted, rows }: WrongTotal): string {
  const group = fields.map((field, index) => `${field} ${JSON.stringify(values[index])}`).join(', ');
  return `${group === '' ? 'the total' : `the total of ${group}`} was ${String(counted)}, and is ${String(rows)}.`;
}
