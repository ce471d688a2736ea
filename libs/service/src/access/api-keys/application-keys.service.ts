import { AuthStrategies } from '../auth/strategies/auth-strategies.js';
import { Database, type Transaction } from '../../data/database/database.js';
import { Injectable } from '@nestjs/common';

import { ApiKeyRemovalsService } from './api-key-removals.service.js';

const OF_USER = 'user_id = $1 AND client_id = $2';
const APPROVAL = `SELECT id FROM grants WHERE ${OF_USER}`;

/** Keys that OAuth applications created for their users. They end with the approval of the application. SPEC §5.3 */
@Injectable()
export class ApplicationKeysService {
  constructor(
    private readonly database: Database,
    private readonly strategies: AuthStrategies,
    private readonly removals: ApiKeyRemovalsService,
  ) {}

  /**
   * Locks the approval of an application until the transaction ends. A later withdrawal also deletes the key that the
   * application creates now.
   * @throws {UnauthorizedError} 401: the approval was just withdrawn, so the credential of the request has ended.
   */
  async lockApproval(tx: Transaction, userId: string, clientId: string): Promise<void> {
    const lock = this.database.dialect === 'postgres' ? ' FOR UPDATE' : '';
    const approvals = await tx.query(`${APPROVAL}${lock}`, [userId, clientId]);
    if (approvals.length === 0) throw this.strategies.unauthorized();
  }

  /** Whether an application has created a key for a user. */
  async hasAny(tx: Transaction, userId: string, clientId: string): Promise<boolean> {
    return (await tx.query(`SELECT id FROM api_keys WHERE ${OF_USER} LIMIT 1`, [userId, clientId])).length > 0;
  }

  /** Deletes the keys of a withdrawn approval, in the same transaction. Call {@link ended} after it. */
  onWithdrawal(tx: Transaction, userId: string, clientId: string): Promise<void> {
    return this.removals.removeAll(tx, OF_USER, [userId, clientId]);
  }

  /** Deletes the keys that a deleted client created, in the same transaction. Call {@link ended} after it. */
  onClientDeletion(tx: Transaction, clientId: string): Promise<void> {
    return this.removals.removeAll(tx, 'client_id = $1', [clientId]);
  }

  /** Clears the caches of keys. */
  ended(): void {
    this.removals.ended();
  }
}
