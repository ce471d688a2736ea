import { randomBytes } from 'node:crypto';
import { isCode, type ItemsClient } from '@items/client';
import { demoItems } from './demo-items.ts';

const USERNAME = 'demo';

/**
 * Creates items, a user with the role `member` and their order. A second run within 24 hours creates no duplicates:
 * usernames are unique, and items and order have constant `Idempotency-Key`s. SPEC §4.4
 * @returns the credentials of the user; an empty password if the user already existed.
 */
export async function seed(
  client: ItemsClient,
  say: (sentence: string) => void,
): Promise<{ username: string; password: string }> {
  const items = [];
  for (const [index, input] of demoItems.entries()) {
    items.push(await client.items.create(input, { idempotencyKey: `seed-item-${index + 1}` }));
  }
  say(`There are ${items.length} demo items.`);
  const { user, password } = await demoUser(client);
  say(
    password === ''
      ? `The user "${USERNAME}" already existed; their password is unchanged.`
      : `The user "${USERNAME}" has the password ${password}, which is shown only now.`,
  );
  const lines = items.slice(0, 2).map(({ id }, index) => ({ item_id: id, quantity: index + 1 }));
  const order = await client.orders(user.id).create({ lines }, { idempotencyKey: `seed-order-${user.id}` });
  say(`Their order ${order.id} comes to ${order.total.toFixed(2)}.`);
  return { username: USERNAME, password };
}

async function demoUser(client: ItemsClient) {
  // A constant password in a public file would be known to everyone.
  const password = randomBytes(12).toString('base64url');
  try {
    return {
      user: await client.users.create({ username: USERNAME, name: 'Demo', role: 'member', password }),
      password,
    };
  } catch (error) {
    if (!isCode(error, 'username_taken')) throw error;
  }
  for await (const user of client.users.walk({ sort: 'username' })) {
    if (user.username === USERNAME) return { user, password: '' };
  }
  throw new Error(`The user "${USERNAME}" was deleted a moment ago. Run this again.`);
}
