import { addPassword } from '../../access/credentials/logins/passwords.js';
import { IdentityDto, ReplaceUserDto } from '@items/dtos';
import { validate } from '@items/fields';
import { type OperationContext } from '../operation.js';
import { type ReadMember, transferable, type Transferable } from '../import-export/transferable.js';
import { PasswordHasher } from '../../access/passwords/password-hasher.js';

import { identityColumns, userCollection } from '../../access/users/user.collection.js';

/** Exports contain no passwords: add them to the file, or set them after the import. */
export function transferableUsers(audit: OperationContext['audit']): Transferable {
  const passwords = new PasswordHasher();
  return transferable(userCollection, {
    dto: ReplaceUserDto,
    readOnly: ({ identity = null }) => identityColumns(identity === null ? null : validate(IdentityDto, identity)),
    unique: ['username'],
    beside: async (members) => {
      const hashes = new Map<ReadMember, string>();
      for (const member of members) {
        const { password } = member.fields;
        if (typeof password === 'string') hashes.set(member, await passwords.hash(password));
      }
      return async (tx, added) => {
        for (const { member, id } of added) {
          const hash = hashes.get(member);
          if (hash !== undefined) await addPassword(tx, id, hash);
        }
      };
    },
    onAdded: (ids) => {
      for (const id of ids) audit('user_created', id);
    },
  });
}
