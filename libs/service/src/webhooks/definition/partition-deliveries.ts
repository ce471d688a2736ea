import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from '../../data/schema/schema.js';
import { partitionTable, unpartitionTable } from '../../feed/partition-table.js';

import { CLOSED, CLOSED_STATE } from '../deliveries/delivery-partitions.js';

const TABLE = 'deliveries';

/** Partitions the table of deliveries on PostgreSQL, as that of events. */
export class PartitionDeliveries1763000000053 implements MigrationInterface {
  readonly name = 'PartitionDeliveries1763000000053';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect === 'sqlite') return;
    await schema.run(`CREATE OR REPLACE FUNCTION ${CLOSED}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'The deliveries of % have expired, and it is being dropped.', TG_TABLE_NAME
          USING ERRCODE = '${CLOSED_STATE}';
      END $$`);
    await partitionTable(runner, TABLE, guardAround(schema));
  }

  /** Copies the rows. No instance may write meanwhile. */
  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect === 'sqlite') return;
    await unpartitionTable(runner, TABLE, guardAround(schema));
    await schema.run(`DROP FUNCTION ${CLOSED}`);
  }
}

function guardAround(schema: Schema): { before: () => Promise<void>; after: () => Promise<void> } {
  return { before: () => schema.unguardRows(TABLE), after: () => schema.guardRows(TABLE) };
}
