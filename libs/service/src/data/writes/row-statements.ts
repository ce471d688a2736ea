import type { Dialect } from '../schema/dialect.js';
import type { SqlValue } from '../database/database.js';
import { valuesIn, type VersionedRow } from '../database/versioned-row.js';
import { type Values, versionsOf } from '../definition/collection.js';
import type { StampedWrite } from '../definition/stamp-terms.js';
import { sqlName } from '../schema/quoted.js';

export class RowStatements {
  private readonly unstamped: readonly string[];
  private readonly versionSql: string;

  constructor(
    private readonly dialect: Dialect,
    private readonly table: string,
    private readonly columns: readonly string[],
  ) {
    this.unstamped = columns.filter((column) => column !== 'lane' && column !== 'seq');
    this.versionSql = `INSERT INTO ${versionsOf(table)} (${columns.map(sqlName).join(', ')}, lane_to, seq_to)`;
  }

  insert(row: VersionedRow): StampedWrite {
    return { shape: 'insert', values: valuesIn(row, this.unstamped), text: this.insertText };
  }

  /**
   * Sets only changed columns, because SQLite rewrites the index entries of each column in SET. FAIL copies no pages,
   * unlike ABORT. A refused row leaves nothing to undo. ADR 61
   */
  update(current: VersionedRow, changes: Values): StampedWrite {
    const columns: string[] = [];
    const values: SqlValue[] = [];
    for (const column of Object.keys(changes)) {
      const value = changes[column] ?? null;
      if (value === current[column]) continue;
      columns.push(column);
      values.push(value);
    }
    values.push(current.id);
    const update = this.dialect === 'sqlite' ? 'UPDATE OR FAIL' : 'UPDATE';
    return {
      shape: `update ${columns.join()}`,
      values,
      text: (placeholders, terms) => {
        const assignments = columns.map((column, index) => `${sqlName(column)} = ${String(placeholders[index])}, `);
        return `${update} ${sqlName(this.table)} SET ${assignments.join('')}lane = ${terms.lane}, seq = ${terms.seq}${terms.from}
          WHERE id = ${String(placeholders.at(-1))}`;
      },
    };
  }

  /** Saves the replaced version for walks that have started. SQLite inserts VALUES in half the time of a SELECT. */
  saveVersion(current: VersionedRow): StampedWrite {
    const into = this.versionSql;
    if (this.dialect === 'sqlite') {
      return {
        shape: 'version',
        values: valuesIn(current, this.columns),
        forWalksSince: current.seq,
        text: (placeholders, terms) => `${into} ${terms.row([...placeholders, terms.lane, terms.seq])}`,
      };
    }
    const old = this.columns.map((column) => `old.${sqlName(column)}`).join(', ');
    return {
      shape: 'version',
      values: [current.id],
      text: ([id = ''], { lane, seq, alsoFrom }) =>
        `${into} SELECT ${old}, ${lane}, ${seq} FROM ${sqlName(this.table)} old${alsoFrom} WHERE old.id = ${id}`,
    };
  }

  remove(current: VersionedRow): StampedWrite {
    return {
      shape: 'delete',
      values: [current.id],
      text: ([id = ''], terms) => `DELETE FROM ${sqlName(this.table)} WHERE id = ${id}${terms.andIfTaken}`,
    };
  }

  private readonly insertText: StampedWrite['text'] = (placeholders, terms) => {
    const given = placeholders.values();
    const row = this.columns.map((column) =>
      column === 'lane' || column === 'seq' ? terms[column] : String(given.next().value),
    );
    return `INSERT INTO ${sqlName(this.table)} (${this.columns.map(sqlName).join(', ')}) ${terms.row(row)}`;
  };
}
