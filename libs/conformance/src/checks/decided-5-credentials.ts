import { expectStatus, expectThat } from '../verdict.js';
import { createUser, login } from '../lists/own-users.js';
import { idOf } from '../pages/walk.js';
import { type Exchange, fieldsOf, header } from '../service/exchange.js';
import { decided } from './specified.js';

const urlNames = [
  'api_key',
  'apikey',
  'api-key',
  'X-API-Key',
  'access_token',
  'refresh_token',
  'token',
  'Password',
  'client_secret',
];
const stranger = 'not-a-valid-credential';

export const decidedCredentials = decided(['users'], {
  '5.challenges': {
    sentence: 'Missing or bad: 401 with a `WWW-Authenticate` line for each method (`Bearer`, `Basic`, `ApiKey`).',
    needs: ['credential'],
    run: async ({ service }) => {
      const answer = await service.get('/items', { as: 'anonymous' });
      const challenges = header(answer, 'www-authenticate') ?? '';
      const missing = ['Bearer', 'Basic', 'ApiKey'].filter((scheme) => !challenges.includes(scheme));
      expectThat(missing.length === 0, answer, 'a line for each', `no ${missing.join(', ')} in ${challenges}`);
    },
  },
  '5.invalid-token': {
    sentence: 'A bad bearer adds `error="invalid_token"`.',
    needs: ['credential'],
    run: async ({ service }) => {
      const headers = { Authorization: `Bearer ${stranger}` };
      const answer = await service.get('/items', { as: 'anonymous', headers });
      expectStatus(answer, 401);
      const challenges = header(answer, 'www-authenticate') ?? '';
      expectThat(challenges.includes('error="invalid_token"'), answer, 'error="invalid_token"', challenges);
    },
  },
  '5.one-credential': {
    sentence: 'Two credentials: 400.',
    needs: ['credential'],
    run: async ({ service }) => {
      const headers = { 'X-API-Key': stranger, Authorization: `Bearer ${stranger}` };
      expectStatus(await service.get('/items', { as: 'anonymous', headers }), 400);
    },
  },
  '5.url.refused': {
    sentence: 'A credential in the URL (in any case): 400 that says to treat it as exposed.',
    needs: ['credential'],
    run: async ({ service }) => {
      for (const name of urlNames) {
        const answer = await service.get(`/items?${name}=${stranger}`);
        expectThat(answer.status === 400 && answer.text.includes('exposed'), answer, '400 that says exposed');
      }
    },
  },
  '5.scope.named': {
    sentence: 'Lacking scope: 403 that names the missing scope, with `error="insufficient_scope", scope="…"`.',
    needs: ['read-only'],
    run: async ({ service, items }) => {
      const answer = await service.send({ method: 'POST', path: '/items', as: 'reader', body: items.content() });
      const challenge = header(answer, 'www-authenticate') ?? '';
      expectThat(answer.text.includes('items:write'), answer, '403 that names items:write');
      const told = challenge.includes('error="insufficient_scope"') && challenge.includes('scope="items:write"');
      expectThat(told, answer, 'error="insufficient_scope", scope="items:write"', challenge);
    },
  },
  '5.login.answer': {
    sentence:
      '`POST /sessions` → 201 `{id, token_type: "Bearer", access_token, expires_in: 900, refresh_token, …, scope}`.',
    run: async (context) => {
      const { session } = await createUser(context, 'viewer');
      expectStatus(session, 201);
      const { id, token_type: type, expires_in: seconds, refresh_token: refresh, scope } = fieldsOf(session.json);
      const whole =
        [id, refresh, scope].every((one) => typeof one === 'string') && type === 'Bearer' && seconds === 900;
      expectThat(whole, session, 'all of them', Object.keys(fieldsOf(session.json)).join(', '));
    },
  },
  '5.login.no-store': {
    sentence: '`POST /sessions` → `Cache-Control: no-store`.',
    run: async (context) => {
      const { session } = await createUser(context, 'viewer');
      const directives = header(session, 'cache-control') ?? '';
      expectThat(directives.includes('no-store'), session, 'Cache-Control: no-store', `Cache-Control: ${directives}`);
    },
  },
  '5.login.same-answer': {
    sentence: 'The same answer for an unknown user and a wrong password.',
    run: async (context) => {
      const { username } = await createUser(context, 'viewer');
      const wrong = await context.service.send(login(username, 'not the right password'));
      const unknown = await context.service.send(login(context.word('unknown'), 'not the right password'));
      expectStatus(wrong, 401);
      expectThat(unknown.status === 401 && unknown.text === wrong.text, unknown, `the same as ${wrong.text}`);
    },
  },
  '5.session.ended': {
    sentence: '`DELETE /sessions/{id}` → 204 and its tokens are dead at once.',
    run: async (context) => {
      const user = await createUser(context, 'viewer');
      expectStatus(await user.ask({ path: '/items' }), 200);
      expectStatus(await user.ask({ method: 'DELETE', path: `/sessions/${idOf(user.session.json)}` }), 204);
      expectStatus(await user.ask({ path: '/items' }), 401);
    },
  },
  '5.session.refreshed': {
    sentence:
      'A new one on expiry through `POST /oauth/token`; refresh tokens rotate; using one again after its access token was used revokes the family.',
    run: async (context) => {
      const user = await createUser(context, 'viewer');
      const { refresh_token: first } = fieldsOf(user.session.json);
      const refresh = (token: unknown): Promise<Exchange> =>
        context.service.send({
          method: 'POST',
          path: '/oauth/token',
          as: 'anonymous',
          raw: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: String(token),
            client_id: 'first-party',
          }).toString(),
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        });
      const fresh = await refresh(first);
      expectStatus(fresh, 200);
      const { access_token: access, refresh_token: second } = fieldsOf(fresh.json);
      expectThat(second !== first, fresh, 'another refresh_token', 'the same refresh_token');
      const headers = { Authorization: `Bearer ${String(access)}` };
      expectStatus(await context.service.get('/items', { as: 'anonymous', headers }), 200);
      expectStatus(await refresh(first), 400);
      expectStatus(await context.service.get('/items', { as: 'anonymous', headers }), 401);
    },
  },
  '5.basic': {
    sentence: 'All four methods of §5 work, on every protected route: Basic.',
    run: async (context) => {
      const { username, password } = await createUser(context, 'viewer');
      const basic = (secret: string): Record<string, string> => ({
        Authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
      });
      expectStatus(await context.service.get('/items', { as: 'anonymous', headers: basic(password) }), 200);
      expectStatus(await context.service.get('/items', { as: 'anonymous', headers: basic(`${password} x`) }), 401);
    },
  },
  '5.roles.viewer': {
    sentence: 'Roles are named sets: `viewer` (all reads).',
    needs: ['users', 'items.write'],
    run: async (context) => {
      const user = await createUser(context, 'viewer');
      expectStatus(await user.ask({ path: '/items' }), 200);
      expectStatus(await user.ask({ method: 'POST', path: '/items', body: context.items.content() }), 403);
    },
  },
  '5.roles.member': {
    sentence: 'Roles are named sets: `member` (viewer + item and order writes + own keys).',
    needs: ['users', 'items.write'],
    run: async (context) => {
      const user = await createUser(context, 'member');
      expectStatus(await user.ask({ method: 'POST', path: '/items', body: context.items.content() }), 201);
      expectStatus(await user.ask({ method: 'POST', path: '/users', body: {} }), 403);
    },
  },
  '5.users.me': {
    sentence: "`/users/me` and `/users/me/orders` mean the credential's user.",
    run: async (context) => {
      const user = await createUser(context, 'member');
      const me = await user.ask({ path: '/users/me' });
      expectThat(me.status === 200 && idOf(me.json) === user.id, me, `the user ${user.id}`);
      expectStatus(await user.ask({ path: '/users/me/orders' }), 200);
    },
  },
  '5.users.others': {
    sentence: 'Non-admins read only themselves among `/users`.',
    run: async (context) => {
      const [user, other] = [await createUser(context, 'member'), await createUser(context, 'member')];
      expectStatus(await user.ask({ path: `/users/${other.id}` }), 403);
    },
  },
  '5.users.no-password': {
    sentence: '`password` is write only.',
    run: async (context) => {
      const { id, password } = await createUser(context, 'viewer');
      const shown = await context.service.get(`/users/${id}`);
      expectThat(
        !shown.text.includes('password') && !shown.text.includes(password),
        shown,
        'a user without a password',
      );
    },
  },
  '5.users.duplicate': {
    sentence: 'A duplicate `username` is 409.',
    run: async (context) => {
      const { username, password } = await createUser(context, 'viewer');
      const body = { username, password };
      expectStatus(await context.service.send({ method: 'POST', path: '/users', body }), 409);
    },
  },
});
