import { type CheckContext } from '../check.js';
import { assignedId } from '../service/created.js';
import { type CheckRequest, type Exchange, fieldsOf, post } from '../service/exchange.js';
import { NotApplicable } from '../verdict.js';

export interface OwnUser {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly session: Exchange;
  readonly ask: (request: CheckRequest) => Promise<Exchange>;
}

const password = 'correct horse battery staple';

/** @throws {NotApplicable} Users cannot be created, or cannot sign in. */
export async function createUser({ service, word }: CheckContext, role: string): Promise<OwnUser> {
  const username = word('conformance');
  const created = await service.send(post('/users', { username, password, role }));
  const id = assignedId(created);
  if (created.status !== 201 || id === undefined) throw new NotApplicable(`POST /users returns ${created.status}`);
  const session = await service.send(login(username, password));
  const { access_token: token } = fieldsOf(session.json);
  if (typeof token !== 'string') throw new NotApplicable(`POST /sessions returns ${session.status}`);
  const ask = (request: CheckRequest): Promise<Exchange> =>
    service.send({ ...request, as: 'anonymous', headers: { ...request.headers, Authorization: `Bearer ${token}` } });
  return { id, username, password, session, ask };
}

export function login(username: string, secret: string): CheckRequest {
  return post('/sessions', { username, password: secret }, { as: 'anonymous' });
}
