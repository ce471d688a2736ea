import type { PasswordChange } from '@items/contracts';
import { ResourceNotFoundError, ValidationError } from '@items/errors';
import { Injectable } from '@nestjs/common';

import { Accounts } from '../accounts/accounts.js';
import { PasswordHasher } from '../accounts/password-hasher.js';
import type { Principal } from '../auth/principal.js';
import { Database } from '../database/database.js';
import { Audit, type AuditSource } from '../logging/audit.js';
import { replaceCurrentPassword } from './passwords.js';

export const WRONG_PASSWORD = new ValidationError([
  { field: 'current_password', code: 'wrong_password', message: '"current_password" is not the current password.' },
]);

/** How a user changes his own password. authentication.md "Scopes and roles" */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
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
    const { address, requestId } = source;
    const account = await this.accounts.authenticate(user.username, current, address, requestId);
    if (account === undefined) throw WRONG_PASSWORD;
    const { id, credentialsVersion } = account;
    const hash = await this.passwords.hash(password);
    const isChanged = await this.database.transaction((tx) => replaceCurrentPassword(tx, id, hash, credentialsVersion));
    if (!isChanged) throw WRONG_PASSWORD;
    await this.accounts.changed(id, { kind: 'password', keptCredentialId: credentialId });
    this.audit.record('password_changed', source, id);
  }
}
