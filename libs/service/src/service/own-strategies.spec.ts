import { Injectable, Module } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Text } from '@items/fields';
import { type Answer, type Header, HttpClient, onBothDatabases } from '@items/testing';
import { Strategy } from 'passport-custom';

import { collection, type OwnCaller } from '../index.js';
import { type StartedService, StartedServices } from './started-services.testing.js';

class BookInput {
  @Text({ min: 1, max: 200 }) title!: string;
}
const books = collection({ name: 'books', singular: 'book', input: BookInput });

const PASSWORD = 'correct horse battery';
const SECRET = 'secret-of-the-sso';

/** Results of validate() by token. A test sets them. */
const results = new Map<string, () => OwnCaller | null>();
let validations = 0;

function validated({ headers }: { headers: Record<string, string> }): Promise<OwnCaller | null> {
  validations += 1;
  return Promise.resolve(results.get(headers['x-sso-token'] ?? '')?.() ?? null);
}

class SsoStrategy extends PassportStrategy(Strategy, 'sso') {
  validate(request: { headers: Record<string, string> }): Promise<OwnCaller | null> {
    return validated(request);
  }
}

@Injectable()
class Secrets {
  readonly value = SECRET;
}

@Injectable()
class InjectedStrategy extends PassportStrategy(Strategy, 'injected') {
  constructor(private readonly secrets: Secrets) {
    super();
  }

  validate({ headers }: { headers: Record<string, string> }): OwnCaller | null {
    return headers['x-injected'] === this.secrets.value ? (results.get(SECRET)?.() ?? null) : null;
  }
}

@Module({ providers: [Secrets, InjectedStrategy] })
class SsoModule {}

const SSO = { name: 'sso', header: 'X-SSO-Token', strategy: SsoStrategy };
const INJECTED = { name: 'injected', header: 'X-Injected', strategy: InjectedStrategy };

interface User {
  readonly id: string;
  readonly scopes: readonly string[];
}

function sso(token: string): Header {
  return ['X-SSO-Token', token];
}

function refusal(answer: Answer): [status: number, code: string] {
  return [answer.status, (answer.json() as { code: string }).code];
}

onBothDatabases(
  'An own strategy',
  async (config) => {
    const services = new StartedServices(config);
    const service = await services.start({
      collections: [books],
      modules: [SsoModule],
      auth: { strategies: [SSO, INJECTED] },
      settings: { CORS_ORIGINS: 'https://app.example', RATE_LIMIT_ANONYMOUS: '100000/60' },
    });
    return { service, services, close: () => services.close() };
  },
  (under) => {
    let addresses = 1;
    let made = 0;
    const service = (): StartedService => under.database.service;
    /** Makes a client with its own address and without a credential. */
    const client = (): HttpClient =>
      new HttpClient({ baseUrl: service().url, localAddress: `127.0.0.${String((addresses += 1))}` });
    const user = async (role = 'member'): Promise<string> => {
      const username = `user-${String((made += 1))}`;
      return ((await service().admin.post('/users', { username, password: PASSWORD, role })).json() as User).id;
    };
    const tokenOf = (caller: OwnCaller): string => {
      const token = `token-${String((made += 1))}`;
      results.set(token, () => caller);
      return token;
    };

    it('authenticates its header as the user', async () => {
      const userId = await user();
      const answer = await client().get('/users/me', sso(tokenOf({ userId })));
      expect([answer.status, (answer.json() as User).id]).toEqual([200, userId]);
      expect((await client().post('/books', { title: 'Emma' }, sso(tokenOf({ userId })))).status).toBe(201);
    });

    it('is a provider of one of the modules', async () => {
      const userId = await user();
      results.set(SECRET, () => ({ userId }));
      expect((await client().get('/users/me', ['X-Injected', SECRET])).status).toBe(200);
      expect((await client().get('/users/me', ['X-Injected', 'other'])).status).toBe(401);
    });

    it('never gives more scopes than the user has, and those of validate() at most', async () => {
      const scopes = ['books:read', 'books:write', 'users:read', 'nonsense'];
      const viewer = tokenOf({ userId: await user('viewer'), scopes });
      expect(((await client().get('/users/me', sso(viewer))).json() as User).scopes).toEqual([
        'books:read',
        'users:read',
      ]);
      expect((await client().get('/books', sso(viewer))).status).toBe(200);
      expect(refusal(await client().post('/books', { title: 'x' }, sso(viewer)))).toEqual([403, 'insufficient_scope']);
      const none = tokenOf({ userId: await user('admin'), scopes: [] });
      expect(refusal(await client().get('/books', sso(none)))).toEqual([403, 'insufficient_scope']);
    });

    it('an unknown, a disabled and a deleted user are 401, as null and a past expiresAt are', async () => {
      const [disabled, deleted, known] = [await user(), await user(), await user()];
      const { admin } = service();
      await admin.put(`/users/${disabled}`, { username: 'disabled', disabled: true });
      await admin.delete(`/users/${deleted}`);
      const callers: OwnCaller[] = [
        { userId: disabled },
        { userId: deleted },
        { userId: 'nobody' },
        { userId: known, expiresAt: new Date(Date.now() - 1) },
      ];
      for (const token of ['null', ...callers.map(tokenOf)]) {
        const answer = await client().get('/books', sso(token));
        expect([token, ...refusal(answer)]).toEqual([token, 401, 'unauthorized']);
        expect(answer.all('WWW-Authenticate')).toContain('SSO header="X-SSO-Token"');
      }
    });

    it('a cached credential is refused when its user is disabled', async () => {
      const userId = await user();
      const token = tokenOf({ userId, expiresAt: new Date(Date.now() + 30_000) });
      const from = client();
      expect((await from.get('/books', sso(token))).status).toBe(200);
      await service().admin.put(`/users/${userId}`, { username: 'cached', disabled: true });
      expect((await from.get('/books', sso(token))).status).toBe(401);
    });

    it('validate() runs for each request, or once until expiresAt, for one address', async () => {
      const userId = await user();
      const validationsOf = async (caller: OwnCaller): Promise<number> => {
        const [from, token] = [client(), tokenOf(caller)];
        validations = 0;
        for (let round = 0; round < 3; round++) expect((await from.get('/books', sso(token))).status).toBe(200);
        return validations;
      };
      expect(await validationsOf({ userId })).toBe(3);
      expect(await validationsOf({ userId, expiresAt: new Date(Date.now() + 30_000) })).toBe(1);
      const token = tokenOf({ userId, expiresAt: new Date(Date.now() + 30_000) });
      validations = 0;
      for (const from of [client(), client()]) await from.get('/books', sso(token));
      expect(validations).toBe(2);
    });

    it('counts as a credential: two are 400', async () => {
      const token = sso(tokenOf({ userId: await user() }));
      const others: Header[] = [token, ['X-API-Key', 'x'], ['Authorization', 'Bearer x'], ['X-Injected', 'x']];
      for (const other of others)
        expect(refusal(await client().get('/books', token, other))).toEqual([400, 'ambiguous_credential']);
    });

    it('shares the quota of the logins of its user', async () => {
      const userId = await user();
      const session = await service().admin.post('/sessions', { username: `user-${String(made)}`, password: PASSWORD });
      const { access_token: token } = session.json() as { access_token: string };
      const left = async (header: Header): Promise<number> =>
        Number((await client().get('/books', header)).header('X-RateLimit-Remaining'));
      const first = await left(['Authorization', `Bearer ${token}`]);
      expect(await left(sso(tokenOf({ userId })))).toBe(first - 1);
    });

    it('two users of one strategy do not share the quota of ending access', async () => {
      const [ada, bob] = [tokenOf({ userId: await user() }), tokenOf({ userId: await user() })];
      const left = async (token: string): Promise<number> => {
        const answer = await client().delete('/sessions/019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27', sso(token));
        return Number(answer.header('X-RateLimit-Remaining'));
      };
      expect(await left(ada)).toBe(await left(bob));
    });

    it('the audit has the user as actor, and strategy:<name> as credential', async () => {
      const userId = await user('admin');
      const token = sso(tokenOf({ userId }));
      const created = await client().post('/users', { username: `of-${userId.slice(-8)}`, password: PASSWORD }, token);
      const { id } = created.json() as User;
      const page = await client().get(`/audit-events?object_id=${id}`, token);
      const [event] = (page.json() as { audit_events: { actor: object }[] }).audit_events;
      expect(event?.actor).toEqual({ type: 'user', user_id: userId, credential_id: 'strategy:sso', client_id: null });
      const ofSessions = await client().get('/audit-events?actor_id=first-party', token);
      expect(ofSessions.text).not.toContain('strategy:sso');
    });

    it('an error of validate() is 503', async () => {
      results.set('broken', () => {
        throw new Error('The identity service is down.');
      });
      results.set('malformed', () => ({}) as OwnCaller);
      for (const token of ['broken', 'malformed'])
        expect(refusal(await client().get('/books', sso(token)))).toEqual([503, 'strategy_unavailable']);
    });

    it('a refusal counts as a failed login of the address', async () => {
      const from = client();
      const token = tokenOf({ userId: await user() });
      for (let batch = 0; batch < 10; batch++)
        await Promise.all(Array.from({ length: 100 }, () => from.get('/books', sso('wrong'))));
      expect(refusal(await from.get('/books', sso('wrong')))).toEqual([429, 'too_many_failures']);
      expect(refusal(await from.get('/books', sso(token)))).toEqual([429, 'too_many_failures']);
      expect((await client().get('/books', sso(token))).status).toBe(200);
    });

    it('pages may send its header, and the document has it', async () => {
      const preflight = await client().send('OPTIONS', '/books', {
        headers: [
          ['Origin', 'https://app.example'],
          ['Access-Control-Request-Method', 'GET'],
        ],
      });
      expect(preflight.header('Access-Control-Allow-Headers')?.split(', ')).toContain('X-SSO-Token');
      const document = (await client().get('/openapi.json')).json() as {
        components: { securitySchemes: Record<string, object> };
        paths: Record<string, { get: { security: object[] } }>;
      };
      expect(document.components.securitySchemes['sso']).toMatchObject({
        type: 'apiKey',
        in: 'header',
        name: 'X-SSO-Token',
      });
      expect(document.paths['/books']?.get.security).toContainEqual({ sso: ['books:read'] });
    });

    it('stops the start if its class has dependencies and is no provider', async () => {
      const start = under.database.services.start({ collections: [books], auth: { strategies: [INJECTED] } });
      await expect(start).rejects.toThrow(/InjectedStrategy of the strategy "injected" has dependencies/);
    });

    it('stops the start if its header is taken', async () => {
      const strategies = [{ ...SSO, header: 'X-API-Key' }];
      const start = under.database.services.start({ collections: [books], auth: { strategies } });
      await expect(start).rejects.toThrow('The strategy "sso" needs another header: X-API-Key is taken.');
    });
  },
);
