import { AuthStrategies } from '../auth/strategies/auth-strategies.js';
import { Database, type Transaction } from '../../data/database/database.js';
import { Injectable } from '@nestjs/common';

import { ApiKeyRemovalsService } from './api-key-removals.service.js';

const OF_USER = 'user_id = $1 AND client_id = $2';
const APPROVAL = `SELECT id FROM grants WHERE ${OF_USER}`;

/** Keys that OAuth applications made for their users: what an application was given never outlives its approval. SPEC §5.3 */
@Injectable()
export class ApplicationKeysService {
  constructor(
    private readonly database: Database,
    private readonly strategies: AuthStrategies,
    private readonly removals: ApiKeyRemovalsService,
  ) {}

  /**
   * For an application that makes a key: its approval cannot be withdrawn until the transaction ends, and then takes the key
   * with it.
   * @throws {UnauthorizedError} 401: it was withdrawn a moment ago, and so the credential of the request has ended.
   */
  async lockApproval(tx: Transaction, userId: string, clientId: string): Promise<void> {
    const lock = this.database.dialect === 'postgres' ? ' FOR UPDATE' : '';
    const approvals = await tx.query(`${APPROVAL}${lock}`, [userId, clientId]);
    if (approvals.length === 0) throw this.strategies.unauthorized();
  }

  /** Whether an application has a key of a user. */
  async hasAny(tx: Transaction, userId: string, clientId: string): Promise<boolean> {
    return (await tx.query(`SELECT id FROM api_keys WHERE ${OF_USER} LIMIT 1`, [userId, clientId])).length > 0;
  }

  /** The approval was withdrawn, in this transaction; {@link ended} is to be called after it. */
  onWithdrawal(tx: Transaction, userId: string, clientId: string): Promise<void> {
    return this.removals.removeAll(tx, OF_USER, [userId, clientId]);
  }

  /** As {@link onWithdrawal}: the client was deleted with its approvals. */
  onClientDeletion(tx: Transaction, clientId: string): Promise<void> {
    return this.removals.removeAll(tx, 'client_id = $1', [clientId]);
  }

  /** What this process remembers of keys may be wrong now. */
  ended(): void {
    this.removals.ended();
  }
}
