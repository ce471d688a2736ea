import type { User, UserInput } from '@items/dtos/contract';
import type { Header, HttpClient } from '@items/testing';

import { admin, anonymous } from './clients.js';
import { expectStatus } from './reading.js';

/** Default password of users that the specs create. */
export const PASSWORD = 'correct: horse bättery';

let created = 0;

/** Creates a user for a single test. */
export async function createUser(input: Partial<UserInput> = {}, creator = admin): Promise<User> {
  created += 1;
  const username = `user-${String(process.pid)}-${String(Date.now())}-${String(created)}`;
  const answer = await creator.post('/users', { username, password: PASSWORD, ...input });
  expectStatus(answer, 201);
  return answer.json() as User;
}

export function basic(username: string, password = PASSWORD): Header {
  return ['Authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`];
}

export function withBasic(username: string, password = PASSWORD, client = anonymous): HttpClient {
  return client.withHeaders(basic(username, password));
}
