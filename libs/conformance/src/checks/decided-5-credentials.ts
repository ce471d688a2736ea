import { type Check } from '../check.js';
import { expectStatus, expectThat } from '../verdict.js';
import { createUser, login } from '../lists/own-users.js';
import { idOf } from '../pages/walk.js';
import { type Exchange, fieldsOf, header, post } from '../service/exchange.js';
import { about, answers, decided } from './specified.js';

const urlNames = 'api_key apikey api-key X-API-Key access_token refresh_token token Password client_secret'.split(' ');
const stranger = 'not-a-valid-credential';
const as = 'anonymous';

const ofViewer = about(['users'], (context) => createUser(context, 'viewer'));
const ofMember = about(['users'], (context) => createUser(context, 'member'));

const refusals: readonly Check[] = decided(['credential'], {
  '5.challenges': {
    sentence: 'Missing or bad: 401 with a `WWW-Authenticate` line for each method (`Bearer`, `Basic`, `ApiKey`).',
    run: async ({ service }) => {
      const answer = await service.get('/items', { as });
      const challenges = header(answer, 'www-authenticate') ?? '';
      const missing = ['Bearer', 'Basic', 'ApiKey'].filter((scheme) => !challenges.includes(scheme));
      expectThat(missing.length === 0, answer, 'a line for each method', `no ${missing.join(', ')} in ${challenges}`);
    },
  },
  '5.invalid-token': {
    sentence: 'A bad bearer token adds `error="invalid_token"`.',
    run: async ({ service }) => {
      const answer = await service.get('/items', { as, headers: { Authorization: `Bearer ${stranger}` } });
      expectStatus(answer, 401);
      const challenges = header(answer, 'www-authenticate') ?? '';
      expectThat(challenges.includes('error="invalid_token"'), answer, 'error="invalid_token"', challenges);
    },
  },
  '5.one-credential': answers(400, 'Two credentials: 400.', {
    path: '/items',
    as,
    headers: { 'X-API-Key': stranger, Authorization: `Bearer ${stranger}` },
  }),
  '5.url.refused': {
    sentence: 'A credential in the URL (in any case): 400 that says to treat it as exposed.',
    run: async ({ service }) => {
      for (const name of urlNames) {
        const answer = await service.get(`/items?${name}=${stranger}`);
        expectThat(answer.status === 400 && answer.text.includes('exposed'), answer, '400 that says exposed');
      }
    },
  },
});

const sessions: readonly Check[] = decided(['users'], {
  '5.login.answer': ofViewer(
    '`POST /sessions` → 201 `{id, token_type: "Bearer", access_token, expires_in: 900, refresh_token, …, scope}`.',
    async ({ session }) => {
      expectStatus(session, 201);
      const { id, token_type: type, expires_in: seconds, refresh_token: refresh, scope } = fieldsOf(session.json);
      const hasTexts = [id, refresh, scope].every((one) => typeof one === 'string');
      const actual = Object.keys(fieldsOf(session.json)).join(', ');
      expectThat(hasTexts && type === 'Bearer' && seconds === 900, session, 'all of these fields', actual);
    },
  ),
  '5.login.no-store': ofViewer('`POST /sessions` → `Cache-Control: no-store`.', async ({ session }) => {
    const directives = header(session, 'cache-control') ?? '';
    expectThat(directives.includes('no-store'), session, 'Cache-Control: no-store', `Cache-Control: ${directives}`);
  }),
  '5.login.same-answer': ofViewer(
    'An unknown user and a wrong password get the same response.',
    async ({ username }, { service, word }) => {
      const wrong = await service.send(login(username, 'not the right password'));
      const unknown = await service.send(login(word('unknown'), 'not the right password'));
      expectStatus(wrong, 401);
      expectThat(unknown.status === 401 && unknown.text === wrong.text, unknown, `the same as ${wrong.text}`);
    },
  ),
  '5.session.ended': ofViewer(
    '`DELETE /sessions/{id}` → 204, and its tokens are invalid immediately.',
    async (user) => {
      expectStatus(await user.ask({ path: '/items' }), 200);
      expectStatus(await user.ask({ method: 'DELETE', path: `/sessions/${idOf(user.session.json)}` }), 204);
      expectStatus(await user.ask({ path: '/items' }), 401);
    },
  ),
  '5.session.refreshed': ofViewer(
    '`POST /oauth/token` rotates refresh tokens; reuse after the new access token was used ends the session.',
    async ({ session }, { service }) => {
      const { refresh_token: first } = fieldsOf(session.json);
      const fields = { grant_type: 'refresh_token', refresh_token: String(first), client_id: 'first-party' };
      const refresh = (): Promise<Exchange> =>
        service.send({
          ...{ method: 'POST', path: '/oauth/token', as },
          raw: new URLSearchParams(fields).toString(),
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        });
      const fresh = await refresh();
      expectStatus(fresh, 200);
      const { access_token: access, refresh_token: second } = fieldsOf(fresh.json);
      expectThat(second !== first, fresh, 'another refresh_token', 'the same refresh_token');
      const headers = { Authorization: `Bearer ${String(access)}` };
      expectStatus(await service.get('/items', { as, headers }), 200);
      expectStatus(await refresh(), 400);
      expectStatus(await service.get('/items', { as, headers }), 401);
    },
  ),
  '5.basic': ofViewer(
    'All four methods of §5 work, on every protected route: Basic.',
    async ({ username, password }, { service }) => {
      const headers = (secret: string): Record<string, string> => ({
        Authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
      });
      expectStatus(await service.get('/items', { as, headers: headers(password) }), 200);
      expectStatus(await service.get('/items', { as, headers: headers(`${password} x`) }), 401);
    },
  ),
});

const users: readonly Check[] = [
  ...decided(['users', 'items.write'], {
    '5.roles.viewer': {
      sentence: 'Roles are named sets: `viewer` (all reads).',
      run: async (context) => {
        const { ask } = await createUser(context, 'viewer');
        expectStatus(await ask({ path: '/items' }), 200);
        expectStatus(await ask(post('/items', context.items.content())), 403);
      },
    },
    '5.roles.member': {
      sentence: 'Roles are named sets: `member` (viewer + item and order writes + own keys).',
      run: async (context) => {
        const { ask } = await createUser(context, 'member');
        expectStatus(await ask(post('/items', context.items.content())), 201);
        expectStatus(await ask(post('/users', {})), 403);
      },
    },
  }),
  ...decided(['users'], {
    '5.users.me': ofMember("`/users/me` and `/users/me/orders` mean the credential's user.", async ({ id, ask }) => {
      const me = await ask({ path: '/users/me' });
      expectThat(me.status === 200 && idOf(me.json) === id, me, `the user ${id}`);
      expectStatus(await ask({ path: '/users/me/orders' }), 200);
    }),
    '5.users.others': ofMember('Non-admins read only themselves among `/users`.', async ({ ask }, context) => {
      const other = await createUser(context, 'member');
      expectStatus(await ask({ path: `/users/${other.id}` }), 403);
    }),
    '5.users.no-password': ofViewer('`password` is write only.', async ({ id, password }, { service }) => {
      const shown = await service.get(`/users/${id}`);
      const isHidden = !shown.text.includes('password') && !shown.text.includes(password);
      expectThat(isHidden, shown, 'a user without a password');
    }),
    '5.users.duplicate': ofViewer('A duplicate `username` is 409.', async ({ username, password }, { service }) => {
      expectStatus(await service.send(post('/users', { username, password })), 409);
    }),
  }),
];

export const decidedCredentials: readonly Check[] = [
  ...refusals,
  ...decided(['read-only'], {
    '5.scope.named': {
      sentence: 'Lacking scope: 403 that names the missing scope, with `error="insufficient_scope", scope="…"`.',
      run: async ({ service, items }) => {
        const answer = await service.send(post('/items', items.content(), { as: 'reader' }));
        const challenge = header(answer, 'www-authenticate') ?? '';
        expectThat(answer.text.includes('items:write'), answer, '403 that names items:write');
        const isNamed = challenge.includes('error="insufficient_scope"') && challenge.includes('scope="items:write"');
        expectThat(isNamed, answer, 'error="insufficient_scope", scope="items:write"', challenge);
      },
    },
  }),
  ...sessions,
  ...users,
];
