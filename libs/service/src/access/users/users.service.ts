import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import type { Precondition } from '../../data/collections/write-options.js';
import type { Tagged } from '../../data/collections/tagged.js';
import { ConflictError } from '@items/conventions';
import type { Role, User } from '@items/dtos/contract';
import { DelegatedCredentialError } from '../errors/access-errors.js';
import { addPassword, removePassword, replacePassword, revokeIssued } from '../credentials/logins/passwords.js';
import type { CreateUserDto, ReplaceUserDto, SetupDto } from '@items/dtos';
import { SYSTEM } from '../../data/database/origin.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { type ListRules, oneOf } from '@items/paging';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { Database, type Transaction } from '../../data/database/database.js';
import type { IdempotentCreation, RepeatableRequest } from '../../data/idempotency/idempotency.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../data/database/error-codes.js';
import { isRowId } from '../../data/schema/row-id.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Inject, Injectable } from '@nestjs/common';
import type { AccountChange } from '../accounts/listeners.js';
import { requireHeld } from '../principal/rights.js';
import type { ChangeSource } from '../principal/request-principal.js';
import { isDelegated, type Principal } from '../principal/principal.js';
import { Permissions } from '../principal/permissions.js';
import { AccountChanges } from './account-changes.js';
import { lockAdmins, requireAdminLeft } from './last-admin.js';
import { PASSWORDS_OFF } from './own-password.service.js';
import { PASSWORD_CHANGED, userCollection } from './user.collection.js';

export const USERNAME_TAKEN = new ConflictError('username_taken', 'Another user has this username.');

export const HAS_CHILDREN = new ConflictError(
  'has_children',
  'This user has members of a collection that does not outlive them. Delete those first.',
);

type NewUser = Parameters<CollectionOf<typeof userCollection>['insert']>[1];

interface AccessFields {
  readonly role: Role;
  readonly disabled: number;
}

@Injectable()
export class UsersService {
  /** Filters by the roles of the service, not of the DTO class. */
  readonly listRules: ListRules;

  constructor(
    @InjectCollection(userCollection) readonly rows: CollectionOf<typeof userCollection>,
    private readonly database: Database,
    private readonly changes: AccountChanges,
    private readonly passwords: PasswordHasher,
    private readonly permissions: Permissions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'passwordLogin'>,
  ) {
    const { filters } = userCollection;
    this.listRules = { ...userCollection, filters: { ...filters, role: oneOf(permissions.roles) } };
  }

  /** Replaces the password by a slow hash, for comparison with repeated requests. */
  async fingerprintOf(input: CreateUserDto, { address }: Pick<ChangeSource, 'address'>): Promise<object> {
    const password = await this.passwords.fingerprint(input.password, input.username, address);
    return Object.assign({}, input, { password });
  }

  async create(
    caller: Principal,
    input: CreateUserDto,
    path: string,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<IdempotentCreation<User>> {
    requireRank(this.permissions, caller, input.role);
    if (!this.config.passwordLogin) throw PASSWORDS_OFF;
    const hash = await this.passwords.hash(input.password, source.address);
    const create = (tx: Transaction): Promise<Tagged<User>> => this.insert(tx, input, hash);
    return namingConflict(() => this.rows.createOnce(create, { path, repeatable, origin: source }));
  }

  /**
   * Creates the first administrator, for a request without a credential.
   * @param admit Runs under a lock that prevents concurrent first administrators. Throws to cancel the creation.
   */
  async createFirst(
    { username, password }: Pick<SetupDto, 'username' | 'password'>,
    { address, requestId }: ChangeSource,
    admit: (tx: Transaction) => Promise<void>,
  ): Promise<User> {
    const hash = await this.passwords.hash(password, address);
    const create = async (tx: Transaction): Promise<User> => {
      await lockAdmins(tx);
      await admit(tx);
      return (await this.insert(tx, { username, role: 'admin' }, hash)).resource;
    };
    return this.database.transaction(create, { ...SYSTEM, address, requestId });
  }

  /** @throws {ConflictError} 409: the username is taken, or no administrator would be left. */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceUserDto,
    precondition: Precondition,
    source: ChangeSource,
  ): Promise<Tagged<User>> {
    if (input.password !== undefined && !this.config.passwordLogin) throw PASSWORDS_OFF;
    const hash = input.password === undefined ? undefined : await this.passwords.hash(input.password, source.address);
    const note = hash === undefined ? undefined : PASSWORD_CHANGED;
    const { replaced, kinds } = await namingConflict(() =>
      this.database.transaction(async (tx) => {
        const before = await this.accessFieldsOf(tx, id);
        requireAccessRights(this.permissions, caller, input, before);
        const replaced = await this.rows.update(tx, id, input, precondition, ALL_PARENTS, note);
        const kinds = before === undefined ? [] : changes(before, replaced.resource, hash);
        if (hash !== undefined) await replacePassword(tx, id, hash);
        if (kinds.includes('disabled')) await revokeIssued(tx, id);
        if (before !== undefined && isEnabledAdmin(before)) await requireAdminLeft(tx);
        return { replaced, kinds };
      }, source),
    );
    for (const kind of kinds) await this.changes.changed(id, { kind });
    return replaced;
  }

  /**
   * Resources that outlive the user, such as orders, stay.
   * @throws {ConflictError} 409: a resource of the user prevents the deletion.
   */
  async remove(id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    const remove = async (tx: Transaction): Promise<void> => {
      const before = await this.accessFieldsOf(tx, id);
      await this.rows.delete(tx, id, precondition);
      await removePassword(tx, id);
      await this.changes.deleting(tx, id);
      if (before !== undefined && isEnabledAdmin(before)) await requireAdminLeft(tx);
    };
    try {
      await this.database.transaction(remove, source);
    } catch (error) {
      throw isForeignKeyViolation(error) ? HAS_CHILDREN : error;
    }
    await this.changes.changed(id, { kind: 'deleted' });
  }

  private async insert(tx: Transaction, input: NewUser, passwordHash: string): Promise<Tagged<User>> {
    const created = await this.rows.insert(tx, input);
    await addPassword(tx, created.resource.id, passwordHash);
    return created;
  }

  /** Reads `role` and `disabled` of a user, under the lock of {@link lockAdmins}. */
  private async accessFieldsOf(tx: Transaction, id: string): Promise<AccessFields | undefined> {
    if (!isRowId(id)) return undefined;
    await lockAdmins(tx);
    const [row] = await tx.query<AccessFields>('SELECT role, disabled FROM users WHERE id = $1', [id]);
    return row;
  }
}

/**
 * A caller that sets a password or role, or enables a user, could then log in as that user. The caller therefore needs
 * all scopes of the role. An application that acts for a user may change neither password, role nor `disabled`.
 */
function requireAccessRights(
  permissions: Permissions,
  caller: Principal,
  input: ReplaceUserDto,
  before: AccessFields | undefined,
): void {
  if (isDelegated(caller)) {
    if (changesAccess(input, before)) throw new DelegatedCredentialError();
  } else if (givesAccess(input)) requireRank(permissions, caller, input.role ?? before?.role ?? 'admin');
}

function changesAccess({ password, role, disabled }: ReplaceUserDto, before: AccessFields | undefined): boolean {
  if (password !== undefined || before === undefined) return true;
  return (role ?? before.role) !== before.role || Number(disabled ?? before.disabled) !== before.disabled;
}

/**
 * Requires all scopes of the role. `viewer` requires none, because every user may read (SPEC §5 rule 3). An unknown
 * role requires the scopes of `admin`, because a later configuration may define this role with any scopes.
 */
export function requireRank(permissions: Permissions, caller: Principal, role: Role = 'viewer'): void {
  if (role !== 'viewer') requireHeld(caller, permissions.scopesOfRole(permissions.isRole(role) ? role : 'admin'));
}

function givesAccess({ password, role, disabled }: ReplaceUserDto): boolean {
  return password !== undefined || role !== undefined || disabled === false;
}

function isEnabledAdmin({ role, disabled }: AccessFields): boolean {
  return role === 'admin' && disabled === 0;
}

function changes(before: AccessFields, after: User, hash: string | undefined): AccountChange['kind'][] {
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
