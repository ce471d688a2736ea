import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

import { PartitionDeliveries1763000000053 } from './partition-deliveries.js';

/** Creates webhooks and deliveries, encrypted secrets, and the state of each webhook. SPEC §6.2 */
export class CreateWebhooks1763000000050 implements MigrationInterface {
  readonly name = 'CreateWebhooks1763000000050';

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
        replay_after ${text}, replay_to ${text}, replay_only ${text})`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run('DROP TABLE webhook_states', 'DROP TABLE webhook_secrets');
    await schema.dropCollection('deliveries');
    await schema.dropCollection('webhooks');
  }
}

/** Adds a queue for a replay of the other kind. */
export class QueueReplays1763000000051 implements MigrationInterface {
  readonly name = 'QueueReplays1763000000051';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run(`ALTER TABLE webhook_states ADD COLUMN replay_next ${schema.text}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('ALTER TABLE webhook_states DROP COLUMN replay_next');
  }
}

/** Stores the last failed attempt: a time without attempts does not count as failing. */
export class NoteFailures1763000000052 implements MigrationInterface {
  readonly name = 'NoteFailures1763000000052';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    await schema.run(`ALTER TABLE webhook_states ADD COLUMN failed_at ${schema.int}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('ALTER TABLE webhook_states DROP COLUMN failed_at');
  }
}

/** The migrations of webhooks, which run before those of the application. */
export const webhookMigrations = [
  CreateWebhooks1763000000050,
  QueueReplays1763000000051,
  NoteFailures1763000000052,
  PartitionDeliveries1763000000053,
];
