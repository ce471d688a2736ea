import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Accounts } from '../../accounts/accounts.js';
import { Authorizations } from './authorizations.js';

/** Ends logins and approvals with what they were given for. authentication.md "Scopes and roles" */
@Injectable()
export class UserChanges implements OnModuleInit {
  constructor(
    private readonly accounts: Accounts,
    private readonly authorizations: Authorizations,
  ) {}

  onModuleInit(): void {
    this.accounts.onChange(async (userId, { kind, keptCredentialId }) => {
      if (kind === 'password') await this.endOthers(userId, keptCredentialId);
      if (kind === 'disabled') await this.authorizations.end('user_id', userId);
      this.authorizations.ended();
    });
    this.accounts.onDeletion(async (tx, userId) => {
      await this.authorizations.endWithin(tx, 'user_id', userId);
      await tx.query('DELETE FROM oauth_artifacts WHERE user_id = $1', [userId]);
    });
  }

  /** All but the one through which the password was changed. */
  private async endOthers(userId: string, kept: string | undefined): Promise<void> {
    const account = await this.accounts.find(userId);
    if (kept !== undefined && account !== undefined) await this.authorizations.rebase(kept, account.credentialsVersion);
    await this.authorizations.end('user_id', userId, kept);
  }
}
