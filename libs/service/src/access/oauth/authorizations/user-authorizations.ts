import type { Transaction } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

import type { AccountChange, AccountListener } from '../../accounts/listeners.js';
import { Accounts } from '../../accounts/accounts.js';
import { Authorizations } from './authorizations.js';

/** Ends a user's logins and approvals when their conditions end. SPEC §5.2 */
@Injectable()
export class UserAuthorizations implements AccountListener {
  constructor(
    private readonly accounts: Accounts,
    private readonly authorizations: Authorizations,
  ) {}

  async onDeletion(tx: Transaction, userId: string): Promise<void> {
    await this.authorizations.endWithin(tx, 'user_id', userId);
    await this.authorizations.endGrants(tx, 'user_id', userId);
    await tx.query('DELETE FROM oauth_artifacts WHERE user_id = $1', [userId]);
  }

  async onChange(userId: string, { kind, keptCredentialId }: AccountChange): Promise<void> {
    if (kind === 'password') await this.endOthers(userId, keptCredentialId);
    if (kind === 'disabled') await this.authorizations.end('user_id', userId);
    this.authorizations.ended();
  }

  private async endOthers(userId: string, kept: string | undefined): Promise<void> {
    const account = await this.accounts.find(userId);
    if (kept !== undefined && account !== undefined) await this.authorizations.rebase(kept, account.credentialsVersion);
    await this.authorizations.end('user_id', userId, kept);
  }
}
