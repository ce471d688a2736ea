import type { Database, Queryable } from '../../data/database/database.js';
import { codeOf } from '../../data/database/error-codes.js';
import { sqlName } from '../../data/schema/quoted.js';
import { type CountedCollection, type RowGroup, subtractRows } from '../../data/writes/recount.js';
import { FIRST_POSITION } from '../../feed/event-id.js';
import { TablePartitions } from '../../feed/table-partitions.js';

/** Trigger function of closed partitions. See {@link DeliveryPartitions}. */
export const CLOSED = 'refuse_expired_delivery';
/** SQLSTATE object_not_in_prerequisite_state, which {@link CLOSED} raises. */
export const CLOSED_STATE = '55000';
const TABLE = { name: 'deliveries', lock: 0x17e_0053 };
const TRIGGER = 'closed';
/** Maximum number of rows counted per statement. */
const COUNTED = 20_000;
const UNDEFINED_TABLE = '42P01';
const CLOSED_PARTITIONS = `SELECT relname AS name
  FROM pg_inherits JOIN pg_trigger ON tgrelid = inhrelid JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = to_regclass('${TABLE.name}') AND tgname = '${TRIGGER}'`;

interface CountedRows extends RowGroup {
  readonly last: string;
}

/**
 * Partitions of the deliveries. An expired partition is first closed: a trigger refuses changes of its rows. The rows
 * are then counted in small statements without a lock. The transaction that drops the partition subtracts these counts
 * from the collection's totals, which are always exact.
 */
export class DeliveryPartitions extends TablePartitions {
  private readonly fields: readonly string[];

  constructor(
    database: Database,
    private readonly collection: CountedCollection,
    lengthMs?: number,
  ) {
    super(database, TABLE, lengthMs);
    this.fields = [...new Set(collection.countedFilters.flat())];
  }

  /**
   * Reopens closed partitions that have not expired: the retention time was raised, or the clock was wrong.
   * @param oldest Rows up to this id have expired.
   */
  async reopen(oldest: string): Promise<void> {
    if (this.database.dialect === 'sqlite' || (await this.wronglyClosed(this.database, oldest)).length === 0) return;
    await this.alone(async (tx) => {
      for (const name of await this.wronglyClosed(tx, oldest)) await tx.query(`DROP TRIGGER ${TRIGGER} ON ${name}`);
      return true;
    });
  }

  protected override async dropFirst(oldest: string, stop?: AbortSignal): Promise<boolean> {
    const [first] = await this.expired(this.database, oldest);
    if (first === undefined) return false;
    const { name } = first;
    const closed = await this.closeAndCount(name, stop);
    if (closed === undefined) return false;
    return this.alone(async (tx) => {
      // Another instance may have dropped or reopened the partition. If the partition was closed again, its trigger is
      // new, and the count is outdated.
      const found = await tx.query('SELECT 1 FROM pg_trigger WHERE oid = $1', [closed.trigger]);
      if (found.length === 0) return false;
      await tx.query(`DROP TABLE ${name}`);
      await subtractRows(tx, this.collection, closed.gone);
      return true;
    });
  }

  private async wronglyClosed(queryable: Queryable, oldest: string): Promise<readonly string[]> {
    const closed = await queryable.query<{ name: string }>(CLOSED_PARTITIONS);
    if (closed.length === 0) return [];
    const expired = (await this.expired(queryable, oldest)).map(({ name }) => name);
    return closed.map(({ name }) => name).filter((name) => !expired.includes(name));
  }

  /** @returns undefined if the partition is in use or dropped, or if the service stops. */
  private async closeAndCount(name: string, stop?: AbortSignal) {
    try {
      const trigger = await this.close(name);
      if (trigger === undefined) return undefined;
      const gone = await this.count(name, stop);
      return gone && { trigger, gone };
    } catch (error) {
      if (codeOf(error) === UNDEFINED_TABLE) return undefined;
      throw error;
    }
  }

  /**
   * Waits for the writers of the partition, and creates a trigger that refuses later ones.
   * @returns the trigger's oid; undefined if the partition is in use. A reopened partition has lost this trigger.
   */
  private async close(name: string): Promise<string | undefined> {
    let trigger: string | undefined;
    await this.alone(async (tx) => {
      await tx.query(
        `CREATE OR REPLACE TRIGGER ${TRIGGER} BEFORE INSERT OR UPDATE OR DELETE ON ${name}
         FOR EACH ROW EXECUTE FUNCTION ${CLOSED}()`,
      );
      const sql = 'SELECT oid::text FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = $2';
      trigger = (await tx.query<{ oid: string }>(sql, [name, TRIGGER]))[0]?.oid;
      return true;
    });
    return trigger;
  }

  /** @returns undefined if the service stops. */
  private async count(name: string, stop?: AbortSignal): Promise<readonly RowGroup[] | undefined> {
    const fields = this.fields.map(sqlName).join(', ');
    const sql = `SELECT ${fields}, count(*) AS n, max(id::text) AS last
      FROM (SELECT id, ${fields} FROM ${name} WHERE id > $1 ORDER BY id LIMIT ${String(COUNTED)}) part GROUP BY ${fields}`;
    const counted: RowGroup[] = [];
    for (let after = FIRST_POSITION; ;) {
      const found = await this.database.query<CountedRows>(sql, [after]);
      if (stop?.aborted === true) return undefined;
      counted.push(...found.map(({ last: _, ...group }): RowGroup => group));
      const rows = found.reduce((sum, { n }) => sum + Number(n), 0);
      if (rows < COUNTED) return counted;
      for (const { last } of found) if (last > after) after = last;
    }
  }
}
