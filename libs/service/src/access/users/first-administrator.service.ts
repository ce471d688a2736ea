import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { SYSTEM } from '../../data/database/origin.js';
import { Database, type Transaction } from '../../data/database/database.js';
import type { User } from '@items/dtos/contract';
import { Injectable } from '@nestjs/common';

import { addPassword } from '../credentials/logins/passwords.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import type { ChangeSource } from '../principal/request-principal.js';
import { lockAdmins } from './last-admin.js';
import { userCollection } from './user.collection.js';

/** No credential exists yet that could create a user. */
@Injectable()
export class FirstAdministratorService {
  constructor(
    @InjectCollection(userCollection) private readonly users: CollectionOf<typeof userCollection>,
    private readonly database: Database,
    private readonly passwords: PasswordHasher,
  ) {}

  /** @param admit Runs under a lock that prevents concurrent first administrators. Throws to cancel the creation. */
  async create(
    { username, password }: { readonly username: string; readonly password: string },
    { address, requestId }: Pick<ChangeSource, 'address' | 'requestId'>,
    admit: (tx: Transaction) => Promise<void>,
  ): Promise<User> {
    const hash = await this.passwords.hash(password, address);
    return this.database.transaction(
      async (tx) => {
        await lockAdmins(tx);
        await admit(tx);
        const { resource } = await this.users.insert(tx, { username, role: 'admin' });
        await addPassword(tx, resource.id, hash);
        return resource;
      },
      { ...SYSTEM, address, requestId },
    );
  }
}
