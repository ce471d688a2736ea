import type { QueryRunner } from 'typeorm';

import type { Migration } from '../../data/schema/migration.js';
import { Schema } from '../../data/schema/schema.js';
import { partitionTable } from '../../feed/partition-table.js';
import { CLOSED, CLOSED_STATE } from '../deliveries/delivery-partitions.js';

/** Creates webhooks, deliveries, encrypted secrets, and each webhook's state. SPEC §6.2 */
class WebhooksBaseline implements Migration {
  readonly name = 'NoteFailures1763000000052';
  readonly replaces = ['CreateWebhooks1763000000050', 'QueueReplays1763000000051'];

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { id, text, int } = schema;
    await schema.createCollection({
      table: 'webhooks',
      columns: [
        `url ${text} NOT NULL`,
        `events ${text} NOT NULL`,
        `description ${text}`,
        `disabled smallint NOT NULL`,
        `disabled_reason ${text}`,
        `failing_since ${int}`,
        `delivered_up_to ${text}`,
        `api_version ${text} NOT NULL`,
        `user_id ${id}`,
        `key_id ${id}`,
        `client_id ${id}`,
        `maker ${text}`,
        `secrets ${text}`,
      ],
      sortable: [{ column: 'created_at' }, { column: 'updated_at' }],
      filters: [],
    });
    await schema.createCollection({
      table: 'deliveries',
      columns: [
        `webhook_id ${id} NOT NULL`,
        `event_id ${text} NOT NULL`,
        `type ${text} NOT NULL`,
        `status ${text} NOT NULL`,
        `attempts ${text} NOT NULL`,
        `next_attempt_at ${int}`,
        `tries ${int}`,
        `asked_at ${int}`,
        `status_before ${text}`,
      ],
      sortable: [{ column: 'created_at' }],
      parent: 'webhook_id',
      filters: ['status', 'type'],
    });
    await schema.run(
      'CREATE INDEX deliveries_by_event ON deliveries (webhook_id, event_id)',
      'CREATE INDEX deliveries_asked ON deliveries (asked_at) WHERE asked_at IS NOT NULL',
      'CREATE INDEX deliveries_by_age ON deliveries (created_at)',
      `CREATE TABLE webhook_secrets (webhook_id ${id} NOT NULL, secret ${text} NOT NULL PRIMARY KEY,
        created_at ${int} NOT NULL, expires_at ${int})`,
      'CREATE INDEX webhook_secrets_by_webhook_id ON webhook_secrets (webhook_id)',
      `CREATE TABLE webhook_states (webhook_id ${id} NOT NULL PRIMARY KEY, holder ${text}, beat ${int} NOT NULL DEFAULT 0,
        fence ${int} NOT NULL DEFAULT 0, place ${text} NOT NULL, begun ${text}, failing_since ${int}, hold_until ${int},
        replay_after ${text}, replay_to ${text}, replay_only ${text}, replay_next ${text}, failed_at ${int})`,
    );
  }
}

/** Partitions deliveries on PostgreSQL, like events. */
class PartitionDeliveries implements Migration {
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
    await partitionTable(runner, 'deliveries', {
      before: () => schema.unguardRows('deliveries'),
      after: () => schema.guardRows('deliveries'),
    });
  }
}

export const webhookMigrations = [WebhooksBaseline, PartitionDeliveries];
