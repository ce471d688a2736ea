import type { PasswordChange } from '@items/contracts';
import { ResourceNotFoundError, ValidationError } from '@items/errors';
import { Audit, type AuditSource } from '@items/logging/nest';
import { PasswordHasher } from '@items/passwords';
import { Database } from '@items/store';
import { Injectable } from '@nestjs/common';

import { Accounts } from '../accounts/accounts.js';
import type { Principal } from '../principal/principal.js';
import { AccountChanges } from './account-changes.js';
import { replaceCurrentPassword } from './passwords.js';

export const WRONG_PASSWORD = new ValidationError([
  { field: 'current_password', code: 'wrong_password', message: '"current_password" is not the current password.' },
]);

/** How users change their own password. SPEC §5.2 */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly changes: AccountChanges,
    private readonly passwords: PasswordHasher,
    private readonly audit: Audit,
  ) {}

  /**
   * Ends the user's sessions but for the one that asks.
   * @throws {ResourceNotFoundError} 404: the credential belongs to no user.
   * @throws {ValidationError} 422: the current password is another one.
   * @throws {TooManyFailuresError} 429
   */
  async change(
    { userId, credentialId }: Principal,
    { current_password: current, password }: PasswordChange,
    source: AuditSource,
  ): Promise<void> {
    const user = userId === null ? undefined : await this.accounts.find(userId);
    if (user === undefined) throw new ResourceNotFoundError('user');
    const account = await this.accounts.authenticate(user.username, current, source, 'change');
    if (account === undefined) throw WRONG_PASSWORD;
    const { id, credentialsVersion } = account;
    const hash = await this.passwords.hash(password, source.address);
    const isChanged = await this.database.transaction((tx) => replaceCurrentPassword(tx, id, hash, credentialsVersion));
    if (!isChanged) throw WRONG_PASSWORD;
    await this.changes.changed(id, { kind: 'password', keptCredentialId: credentialId });
    this.audit.record('password_changed', source, id);
  }
}
