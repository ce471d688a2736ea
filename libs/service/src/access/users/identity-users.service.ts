import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import type { Identity, Role, User } from '@items/dtos/contract';
import { ApiError, ConflictError } from '@items/conventions';
import { endBrowserLogins } from '../credentials/tokens/artifacts.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { Database, type Transaction } from '../../data/database/database.js';
import { isUniqueViolation } from '../../data/database/error-codes.js';
import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { Permissions } from '../principal/permissions.js';
import type { Principal } from '../principal/principal.js';
import type { ChangeSource } from '../principal/request-principal.js';
import { AccountChanges } from './account-changes.js';
import { LAST_ADMIN, lockAdmins, requireAdminLeft } from './last-admin.js';
import { type IdentityColumns, identityColumns, userCollection } from './user.collection.js';
import { requireRank } from './users.service.js';

export interface Person {
  readonly identity: Identity;
  /** Returns a different username for each number from 1 on. */
  readonly usernameFor: (number: number) => string;
  /** Null if the person may not log in. */
  readonly role: Role | null;
  /** True if a login replaces the role of an existing user. */
  readonly setsRole: boolean;
}

interface LinkedUser {
  readonly id: string;
  readonly role: Role;
  readonly disabled: number;
}

const FIND_BY_IDENTITY = 'SELECT id, role, disabled FROM users WHERE identity_subject = $1 AND identity_issuer = $2';
const FIND_USERNAME = 'SELECT id FROM users WHERE username = $1';
/** Usernames to try, numbered from 1. If all are in use, a random number is tried. */
const NUMBERED_NAMES = 100;
const MAX_NUMBER = 1_000_000_000;
/** Maximum attempts to create the user. Another instance may concurrently create the user, or use the username. */
const ATTEMPTS = 5;

export const IDENTITY_TAKEN = new ConflictError('identity_taken', 'Another user is linked to this identity.');

/** 404: the user has no identity. */
export class NoIdentityError extends ApiError {
  override readonly status = 404;
  override readonly code = 'no_identity';

  constructor() {
    super('This user is not linked to an identity provider.');
  }
}

/** Finds, creates, links and unlinks the users of identities at the identity provider. SPEC §5.5 */
@Injectable()
export class IdentityUsersService {
  constructor(
    @InjectCollection(userCollection) private readonly users: CollectionOf<typeof userCollection>,
    private readonly database: Database,
    private readonly changes: AccountChanges,
    private readonly permissions: Permissions,
  ) {}

  /**
   * Replaces an earlier link. Ends the user's browser sessions. The person then acts as the user, so the caller needs
   * all scopes of the user's role.
   * @throws {ConflictError} 409: another user has the identity.
   */
  async link(caller: Principal, id: string, identity: Identity, source: ChangeSource): Promise<Identity> {
    const { issuer, subject } = identity;
    await this.setIdentity(id, { issuer, subject }, source, (role) => requireRank(this.permissions, caller, role));
    return { issuer, subject };
  }

  unlink(id: string, source: ChangeSource): Promise<void> {
    return this.setIdentity(id, null, source, (_role, former) => {
      if (former === null) throw new NoIdentityError();
    });
  }

  /**
   * Creates a user without a password at the first login. Later logins set the role, if configured.
   * @returns The id of the user. Undefined if the person may not log in.
   */
  async logIn(person: Person): Promise<string | undefined> {
    for (let attempt = 1; ; attempt++) {
      const user = await this.find(person.identity);
      if (user !== undefined) return this.admit(user, person);
      if (person.role === null) return undefined;
      try {
        return await this.create(person, person.role);
      } catch (error) {
        if (!isUniqueViolation(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async isKnown(identity: Identity): Promise<boolean> {
    return (await this.find(identity)) !== undefined;
  }

  private async setIdentity(
    id: string,
    identity: Identity | null,
    source: ChangeSource,
    check: (role: Role, former: Identity | null) => void,
  ): Promise<void> {
    const decide = (user: User): IdentityColumns => {
      check(user.role, user.identity);
      return identityColumns(identity);
    };
    const set = async (tx: Transaction): Promise<void> => {
      const { resource } = await this.users.lockAndUpdate(tx, id, decide, ALL_PARENTS);
      await endBrowserLogins(tx, resource.id);
    };
    try {
      await this.users.transaction(set, { origin: source });
    } catch (error) {
      throw isUniqueViolation(error) ? IDENTITY_TAKEN : error;
    }
    await this.changes.changed(id, { kind: 'identity' });
  }

  private async find({ issuer, subject }: Identity): Promise<LinkedUser | undefined> {
    const [user] = await this.database.query<LinkedUser>(FIND_BY_IDENTITY, [subject, issuer]);
    return user;
  }

  private async admit({ id, role, disabled }: LinkedUser, person: Person): Promise<string | undefined> {
    if (disabled === 1) return undefined;
    if (!person.setsRole) return id;
    if (person.role === null) return undefined;
    if (person.role !== role) await this.setRole(id, person.role);
    return id;
  }

  private async create(person: Person, role: Role): Promise<string> {
    const id = await this.database.transaction(async (tx) => {
      const username = await freeUsername(tx, person);
      const fields = { username, role, ...identityColumns(person.identity) };
      return (await this.users.insert(tx, fields)).resource.id;
    });
    await this.changes.changed(id, { kind: 'identity' });
    return id;
  }

  /** Sets the role. The last administrator keeps the role `admin`. */
  private async setRole(id: string, role: Role): Promise<void> {
    const set = async (tx: Transaction): Promise<void> => {
      await lockAdmins(tx);
      await this.users.lockAndUpdate(tx, id, () => ({ role }), ALL_PARENTS);
      await requireAdminLeft(tx);
    };
    try {
      await this.database.transaction(set);
    } catch (error) {
      if (error !== LAST_ADMIN) throw error;
      return;
    }
    await this.changes.changed(id, { kind: 'role' });
  }
}

async function freeUsername(tx: Transaction, { usernameFor }: Person): Promise<string> {
  for (let number = 1; number <= NUMBERED_NAMES; number++) {
    const username = usernameFor(number);
    if ((await tx.query(FIND_USERNAME, [username])).length === 0) return username;
  }
  return usernameFor(randomInt(NUMBERED_NAMES, MAX_NUMBER));
}
