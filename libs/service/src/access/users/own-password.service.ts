import type { PasswordChange } from '@items/dtos/contract';
import { replaceCurrentPassword } from '../credentials/logins/passwords.js';
import { ConflictError, ResourceNotFoundError, ValidationError } from '@items/conventions';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { type Transaction } from '../../data/database/database.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../accounts/accounts.js';
import type { ChangeSource } from '../principal/request-principal.js';
import type { Principal } from '../principal/principal.js';
import { AccountChanges } from './account-changes.js';
import { PASSWORD_CHANGED, userCollection } from './user.collection.js';

export const WRONG_PASSWORD = new ValidationError([
  { field: 'current_password', code: 'wrong_password', message: '"current_password" is not the current password.' },
]);

export const NO_PASSWORD = new ConflictError(
  'no_password',
  'This user has no password: they log in by the identity provider. An administrator can set one.',
);

export const PASSWORDS_OFF = new ConflictError(
  'no_password',
  'Users of this service have no password: they log in by the identity provider.',
);

@Injectable()
export class OwnPasswordService {
  constructor(
    @InjectCollection(userCollection) private readonly users: CollectionOf<typeof userCollection>,
    private readonly accounts: Accounts,
    private readonly changes: AccountChanges,
    private readonly passwords: PasswordHasher,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passwordLogin'>,
  ) {}

  /**
   * Ends the user's other sessions.
   * @throws {ConflictError} 409: the user has no password, or `PASSWORD_LOGIN` is off.
   */
  async change(
    { userId, credentialId }: Principal,
    { current_password: current, password }: PasswordChange,
    source: ChangeSource,
  ): Promise<void> {
    const user = userId === null ? undefined : await this.accounts.find(userId);
    if (user === undefined) throw new ResourceNotFoundError('user');
    if (!this.config.passwordLogin) throw PASSWORDS_OFF;
    if (!(await this.accounts.hasPassword(user.id))) throw NO_PASSWORD;
    const account = await this.accounts.authenticate(user.username, current, source, 'change');
    if (account === undefined) throw WRONG_PASSWORD;
    const { id, credentialsVersion } = account;
    const hash = await this.passwords.hash(password, source.address);
    const replace = async (tx: Transaction): Promise<boolean> => {
      const isCurrent = await replaceCurrentPassword(tx, id, hash, credentialsVersion);
      if (isCurrent) await this.users.note(tx, id, PASSWORD_CHANGED);
      return isCurrent;
    };
    const isChanged = await this.users.transaction(replace, { origin: source });
    if (!isChanged) throw WRONG_PASSWORD;
    await this.changes.changed(id, { kind: 'password', keptCredentialId: credentialId });
  }
}
