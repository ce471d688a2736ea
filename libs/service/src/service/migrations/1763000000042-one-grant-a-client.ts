import { Schema } from '../../data/schema/schema.js';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface GrantRow {
  readonly id: string;
  readonly user_id: string;
  readonly client_id: string;
  /** JSON array. */
  readonly scopes: string;
}

const DUPLICATES = `SELECT id, user_id, client_id, scopes FROM grants g WHERE EXISTS
  (SELECT 1 FROM grants o WHERE o.user_id = g.user_id AND o.client_id = g.client_id AND o.id <> g.id)
  ORDER BY created_at, id`;

/** Allows one approval per user and client. Concurrent duplicates are merged into the oldest, with the scopes of all. */
export class OneGrantAClient1763000000042 implements MigrationInterface {
  readonly name = 'OneGrantAClient1763000000042';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    if (schema.dialect === 'postgres') await schema.run('LOCK TABLE grants IN SHARE ROW EXCLUSIVE MODE');
    const kept = new Map<string, { readonly id: string; readonly scopes: Set<string> }>();
    for (const grant of (await runner.query(DUPLICATES)) as GrantRow[]) {
      const approval = `${grant.user_id} ${grant.client_id}`;
      const first = kept.get(approval);
      const scopes = JSON.parse(grant.scopes) as string[];
      if (first === undefined) kept.set(approval, { id: grant.id, scopes: new Set(scopes) });
      else {
        for (const scope of scopes) first.scopes.add(scope);
        await schema.run(...merged(grant, first.id));
      }
    }
    const widened = [...kept.values()].map(
      ({ id, scopes }) => `UPDATE grants SET scopes = '${JSON.stringify([...scopes])}' WHERE id = '${id}'`,
    );
    if (widened.length > 0) await schema.rewriteRows('grants', ...widened);
    await schema.run('CREATE UNIQUE INDEX grants_of_user_and_client ON grants (user_id, client_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).run('DROP INDEX grants_of_user_and_client');
  }
}

/** Moves the authorizations of a duplicate to the first approval, deletes the duplicate and decrements the totals. */
function merged({ id, user_id: userId }: GrantRow, firstId: string): string[] {
  const oneLess = (table: string, condition: string): string => `UPDATE ${table} SET n = n - 1
    WHERE collection = 'grants' AND ${condition} AND lane = (SELECT min(lane) FROM ${table}
      WHERE collection = 'grants' AND ${condition})`;
  return [
    `UPDATE oauth_authorizations SET grant_id = '${firstId}' WHERE grant_id = '${id}'`,
    `DELETE FROM grants_versions WHERE id = '${id}'`,
    `DELETE FROM grants WHERE id = '${id}'`,
    oneLess('collection_lanes', '1 = 1'),
    oneLess('collection_counts', `grp = '[["user_id"],["${userId}"]]'`),
  ];
}
