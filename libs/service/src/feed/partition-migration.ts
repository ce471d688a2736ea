import type { MigrationInterface, QueryRunner } from 'typeorm';

import { partitionTable, unpartitionTable } from './partition-table.js';

/** Partitions the table of events on PostgreSQL. */
export class PartitionEvents1000000000015 implements MigrationInterface {
  readonly name = 'PartitionEvents1000000000015';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await partitionTable(runner, 'events');
  }

  /** Copies the rows. No instance may write meanwhile. */
  async down(runner: QueryRunner): Promise<void> {
    await unpartitionTable(runner, 'events');
  }
}
