import type { Database } from '../../data/database/database.js';
import { sqlName } from '../../data/schema/quoted.js';
import type { CountedCollection } from '../../data/writes/recount.js';
import { type RowGroup, subtractRows } from '../../data/writes/subtract-rows.js';
import { FIRST_PLACE } from '../../feed/event-id.js';
import { TablePartitions } from '../../feed/table-partitions.js';

import { CLOSED } from './closed-partition.js';

const TABLE = { name: 'deliveries', lock: 0x17e_0053 };
/** Name of the trigger that closes a partition. */
const TRIGGER = 'closed';
/** Maximum number of rows that one statement counts. */
const COUNTED = 20_000;

interface CountedRows extends RowGroup {
  readonly last: string;
}

/**
 * The partitions of the table of deliveries. One that has expired is first closed: a trigger refuses changes of its
 * rows. They are then counted in small statements without a lock. The transaction that drops the partition corrects the
 * totals, which are exact at any moment.
 */
export class DeliveryPartitions extends TablePartitions {
  private readonly fields: readonly string[];

  /** @param lengthMs Length of a partition: a day, or less in tests. */
  constructor(
    database: Database,
    private readonly collection: CountedCollection,
    lengthMs?: number,
  ) {
    super(database, TABLE, lengthMs);
    this.fields = [...new Set(collection.countedFilters.flat())];
  }

  protected override async dropFirst(oldest: string): Promise<boolean> {
    const [first] = await this.expired(this.database, oldest);
    if (first === undefined) return false;
    const { name } = first;
    if (!(await this.close(name))) return false;
    const gone = await this.count(name);
    return this.alone(async (tx) => {
      const found = await tx.query('SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = $2', [
        name,
        TRIGGER,
      ]);
      // Another instance has dropped it meanwhile.
      if (found.length === 0) return false;
      await tx.query(`DROP TABLE ${name}`);
      await subtractRows(tx, this.collection, gone);
      return true;
    });
  }

  /** Waits for the writers of the partition, and refuses later ones. @returns False if it is in use. */
  private close(name: string): Promise<boolean> {
    return this.alone(async (tx) => {
      await tx.query(
        `CREATE OR REPLACE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE OR DELETE ON ${name}
         FOR EACH ROW EXECUTE FUNCTION ${CLOSED}()`,
      );
      return true;
    });
  }

  private async count(name: string): Promise<readonly RowGroup[]> {
    const fields = this.fields.map(sqlName).join(', ');
    const sql = `SELECT ${fields}, count(*) AS n, max(id::text) AS last
      FROM (SELECT id, ${fields} FROM ${name} WHERE id > $1 ORDER BY id LIMIT ${String(COUNTED)}) part GROUP BY ${fields}`;
    const counted: RowGroup[] = [];
    for (let after = FIRST_PLACE; ;) {
      const found = await this.database.query<CountedRows>(sql, [after]);
      counted.push(...found.map(({ last: _, ...group }): RowGroup => group));
      const rows = found.reduce((sum, { n }) => sum + Number(n), 0);
      if (rows < COUNTED) return counted;
      for (const { last } of found) if (last > after) after = last;
    }
  }
}
