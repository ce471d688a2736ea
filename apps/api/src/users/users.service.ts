import { ROLE_SCOPES, type Role, type User } from '@items/contracts';
import type { CreateUserDto, ReplaceUserDto } from '@items/dtos';
import { ConflictError } from '@items/errors';
import { Inject, Injectable } from '@nestjs/common';

import { Accounts, type AccountChange } from '../accounts/accounts.js';
import { PasswordHasher } from '../accounts/password-hasher.js';
import { requireHeld } from '../auth/escalation.js';
import type { Principal } from '../auth/principal.js';
import type { CollectionService, Precondition, Tagged } from '../collections/collection-service.js';
import { collectionToken } from '../collections/collections.module.js';
import { Database, type Transaction } from '../database/database.js';
import { isRowId } from '../database/row-id.js';
import { isUniqueViolation } from '../database/unique-violation.js';
import type { IdempotentCreation, RepeatableRequest } from '../idempotency/idempotency.js';
import { Audit, type AuditSource } from '../logging/audit.js';
import { lockAdmins, requireAdminLeft } from './last-admin.js';
import { addPassword, replacePassword, revokeIssued } from './passwords.js';
import { acceptProfile, userCollection, type UserProfile } from './user.collection.js';
import type { UserEntity } from './user.entity.js';

export const USERNAME_TAKEN = new ConflictError('username_taken', 'Another user has this username.');

type Standing = Pick<UserEntity, 'role' | 'disabled'>;

/** The writes of the collection of users: what they do beyond those of other collections. decisions §2 */
@Injectable()
export class UsersService {
  constructor(
    @Inject(collectionToken('users')) readonly users: CollectionService<UserEntity, User, UserProfile>,
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly passwords: PasswordHasher,
    private readonly audit: Audit,
  ) {}

  /** The request with something in the password's place that tells it apart, and does not give it away. */
  async fingerprintOf(input: CreateUserDto): Promise<object> {
    const { username, name, email, role, disabled } = input;
    return {
      username,
      name,
      email,
      role,
      disabled,
      password: await this.passwords.fingerprint(input.password, input.username),
    };
  }

  /** @throws {ScopeEscalationError} 403 @throws {ConflictError} 409 @throws {IdempotencyKeyReusedError} 422 */
  async create(
    caller: Principal,
    input: CreateUserDto,
    path: string,
    repeatable: RepeatableRequest | undefined,
    source: AuditSource,
  ): Promise<IdempotentCreation<User>> {
    requireRank(caller, input.role);
    const hash = await this.passwords.hash(input.password);
    const made = await namingConflict(() =>
      this.users.createWith(path, repeatable, 'replayable', async (tx) => {
        const created = await this.users.insert(tx, userCollection.accept(input));
        await addPassword(tx, created.resource.id, hash);
        return created;
      }),
    );
    const { id, role } = made.resource;
    if (!made.replayed) this.audit.record('user_created', source, id, { role });
    return made;
  }

  /**
   * @throws {ScopeEscalationError} 403 @throws {ResourceNotFoundError} 404 @throws {PreconditionFailedError} 412
   * @throws {ConflictError} 409: the username is taken, or no administrator would be left.
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceUserDto,
    precondition: Precondition,
    source: AuditSource,
  ): Promise<Tagged<User>> {
    const hash = input.password === undefined ? undefined : await this.passwords.hash(input.password);
    const { replaced, kinds } = await namingConflict(() =>
      this.database.transaction(async (tx) => {
        const before = await this.standingOf(tx, id);
        if (givesAccess(input)) requireRank(caller, input.role ?? before?.role ?? 'admin');
        const replaced = await this.users.update(tx, id, acceptProfile(input), precondition);
        const kinds = before === undefined ? [] : changes(before, replaced.resource, hash);
        if (hash !== undefined) await replacePassword(tx, id, hash);
        if (kinds.includes('disabled')) await revokeIssued(tx, id);
        if (before !== undefined && isEnabledAdmin(before)) await requireAdminLeft(tx);
        return { replaced, kinds };
      }),
    );
    for (const kind of kinds) await this.accounts.changed(id, { kind });
    this.recordChanges(source, id, kinds);
    return replaced;
  }

  /** Ends the user's credentials, and keeps his orders. @throws as {@link replace} */
  async remove(id: string, precondition: Precondition, source: AuditSource): Promise<void> {
    await this.database.transaction(async (tx) => {
      const before = await this.standingOf(tx, id);
      await this.users.delete(tx, id, precondition);
      await this.accounts.cleanUp(tx, id);
      if (before !== undefined && isEnabledAdmin(before)) await requireAdminLeft(tx);
    });
    await this.accounts.changed(id, { kind: 'deleted' });
    this.audit.record('user_deleted', source, id);
  }

  /** What the user may do, which nobody else changes until the transaction ends. */
  private async standingOf(tx: Transaction, id: string): Promise<Standing | undefined> {
    if (!isRowId(id)) return undefined;
    await lockAdmins(tx, this.database.dialect);
    const [row] = await tx.query<Standing>('SELECT role, disabled FROM users WHERE id = $1', [id]);
    return row;
  }

  private recordChanges(source: AuditSource, id: string, kinds: readonly AccountChange['kind'][]): void {
    if (kinds.includes('disabled')) this.audit.record('user_disabled', source, id);
    if (kinds.includes('password')) this.audit.record('password_changed', source, id);
    this.audit.record('user_changed', source, id, { changed: kinds });
  }
}

/** Whoever gives a user access could use it himself, but for what every user may: reading. SPEC §5 rule 3 */
function requireRank(caller: Principal, role: Role = 'viewer'): void {
  if (role !== 'viewer') requireHeld(caller, ROLE_SCOPES[role]);
}

function givesAccess({ password, role, disabled }: ReplaceUserDto): boolean {
  return password !== undefined || role !== undefined || disabled === false;
}

function isEnabledAdmin({ role, disabled }: Standing): boolean {
  return role === 'admin' && disabled === 0;
}

function changes(before: Standing, after: User, hash: string | undefined): AccountChange['kind'][] {
  const kinds: AccountChange['kind'][] = ['profile'];
  if (before.role !== after.role) kinds.push('role');
  if (before.disabled === 0 && after.disabled) kinds.push('disabled');
  if (before.disabled === 1 && !after.disabled) kinds.push('enabled');
  if (hash !== undefined) kinds.push('password');
  return kinds;
}

async function namingConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? USERNAME_TAKEN : error;
  }
}
