import { NotOwnerError, NoOwnUserError, ResourceNotFoundError } from '@items/conventions';

import type { Account } from '../accounts/account.js';
import type { Accounts } from '../accounts/accounts.js';
import { Owner } from './ownership.js';
import { Owners } from './owners.js';
import type { Principal } from '../principal/principal.js';

const ADA = '01890000-0000-7000-8000-00000000000a';
const BOB = '01890000-0000-7000-8000-00000000000b';
const GONE = '01890000-0000-7000-8000-00000000000c';
const UNKNOWN = '01890000-0000-7000-8000-00000000000d';

const accounts = {
  find: (id: string) => Promise.resolve([ADA, BOB].includes(id) ? ({ id } as Account) : undefined),
} as Accounts;
const orders = { hasAny: ({ user_id: id }: Readonly<Record<string, string>>) => Promise.resolve(id === GONE) };

function caller(userId: string | null, isAdmin: boolean): Principal {
  return { credentialId: 'x', kind: 'bearer', userId, isAdmin, scopes: new Set(), rateLimit: null };
}

describe('SPEC §5.2: /users/me/orders means the credential’s user; another user’s resources: 403 unless admin', () => {
  const owners = new Owners(accounts);
  const ways = {
    existing: async (who: Principal, name: string) => owners.existing(Owner.named(name, who)),
    existingOrDeleted: async (who: Principal, name: string) => owners.existingOrDeleted(Owner.named(name, who), orders),
  };

  describe.each(['existing', 'existingOrDeleted'] as const)('%s', (way) => {
    const ask = ways[way];

    it('the user’s own resources, by id or as me', async () => {
      expect(await ask(caller(ADA, false), ADA)).toEqual({ user_id: ADA });
      expect(await ask(caller(ADA, false), 'me')).toEqual({ user_id: ADA });
    });

    it.each([BOB, GONE, UNKNOWN, 'x', 'ME'])(
      'resources of another user are 403, even if that user does not exist: %s',
      async (id) => {
        await expect(ask(caller(ADA, false), id)).rejects.toThrow(NotOwnerError);
        await expect(ask(caller(null, false), id)).rejects.toThrow(NotOwnerError);
      },
    );

    it('me without a user is 404, also for an administrator’s key', async () => {
      await expect(ask(caller(null, false), 'me')).rejects.toThrow(NoOwnUserError);
      await expect(ask(caller(null, true), 'me')).rejects.toThrow(NoOwnUserError);
    });

    it('an administrator reaches every user; an unknown one is 404', async () => {
      expect(await ask(caller(ADA, true), BOB)).toEqual({ user_id: BOB });
      expect(await ask(caller(null, true), BOB)).toEqual({ user_id: BOB });
      for (const id of [UNKNOWN, 'x', '']) {
        await expect(ask(caller(null, true), id)).rejects.toThrow(ResourceNotFoundError);
      }
    });
  });

  it('resources of a deleted user can be read and changed, but not created', async () => {
    expect(await ways.existingOrDeleted(caller(null, true), GONE)).toEqual({ user_id: GONE });
    await expect(ways.existing(caller(null, true), GONE)).rejects.toThrow(ResourceNotFoundError);
  });
});
