import { AuthStrategies } from '../auth/strategies/auth-strategies.js';
import { Database, type Transaction } from '../../data/database/database.js';
import { Injectable } from '@nestjs/common';

import { ApiKeyRemovalsService } from './api-key-removals.service.js';

const OF_USER = 'user_id = $1 AND client_id = $2';
const APPROVAL = `SELECT id FROM grants WHERE ${OF_USER}`;

/** Keys of OAuth applications end with the approval of the application. SPEC §5.3 */
@Injectable()
export class ApplicationKeysService {
  constructor(
    private readonly database: Database,
    private readonly strategies: AuthStrategies,
    private readonly removals: ApiKeyRemovalsService,
  ) {}

  /**
   * Locks the approval, so that a later withdrawal also deletes the key that is created now.
   * @throws {UnauthorizedError} 401: the approval was just withdrawn, so the credential has ended.
   */
  async lockApproval(tx: Transaction, userId: string, clientId: string): Promise<void> {
    const lock = this.database.dialect === 'postgres' ? ' FOR UPDATE' : '';
    const approvals = await tx.query(`${APPROVAL}${lock}`, [userId, clientId]);
    if (approvals.length === 0) throw this.strategies.unauthorized();
  }

  async hasAny(tx: Transaction, userId: string, clientId: string): Promise<boolean> {
    return (await tx.query(`SELECT id FROM api_keys WHERE ${OF_USER} LIMIT 1`, [userId, clientId])).length > 0;
  }

  /** Call {@link ended} after the transaction. */
  onWithdrawal(tx: Transaction, userId: string, clientId: string): Promise<void> {
    return this.removals.removeAll(tx, OF_USER, [userId, clientId]);
  }

  /** Call {@link ended} after the transaction. */
  onClientDeletion(tx: Transaction, clientId: string): Promise<void> {
    return this.removals.removeAll(tx, 'client_id = $1', [clientId]);
  }

  ended(): void {
    this.removals.ended();
  }
}
