import { formatTime } from '../../../data/definition/column-codecs.js';
import type { Session } from '@items/dtos/contract';
import { logTo } from '../../../runtime/logging/log.js';
import { collectionToken } from '../../../http/nest/collection-token.js';
import type { CollectionOf } from '../../../index.js';
import { Database } from '../../../for-store.js';
import { HttpClient } from '@items/testing';

import { apiKeyCollection } from '../../api-keys/api-key.collection.js';
import type { Config } from '../../../runtime/config/config.js';
import { loadConfig } from '../../../runtime/config/load-config.js';
import { createService } from '../../../service/testing/fixture.testing.js';
import { sessionCollection } from '../authorizations/session.collection.js';

import { AccessTokenUseWriter, SessionUseWriter } from '../bearer/use-writers.js';

const ADMIN_KEY = 'a'.repeat(32);
const PASSWORD = 'correct horse battery';

/** Unix time in milliseconds. */
export interface SessionTimes {
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at?: number;
}

/** The whole service, for tests that need users and tokens. */
export interface OauthUnderTest {
  readonly baseUrl: string;
  readonly lines: readonly string[];
  /** Password of every user. */
  readonly password: string;
  readonly admin: HttpClient;
  /** Database of the service. */
  readonly database: Database;
  bearer(token: string): HttpClient;
  /** Returns a client with an API key. */
  key(key: string): HttpClient;
  /** Returns a client with Basic authentication and {@link password}. */
  basic(username: string): HttpClient;
  /** Creates a user. @returns its id. */
  addUser(input: object): Promise<string>;
  /** Inserts a session without tokens. @returns its id. */
  addSession(userId: string, times: SessionTimes): Promise<string>;
  /** Inserts a key without a secret. @returns its id. */
  addKey(userId: string, expiresAt: number): Promise<string>;
  /** Flushes the last uses of sessions and access tokens. */
  noteUses(): Promise<void>;
  /** Whether the audit log contains an event. */
  audited(event: string): boolean;
  close(): Promise<void>;
}

export async function startOauth(database: Config['database'], env: NodeJS.ProcessEnv = {}): Promise<OauthUnderTest> {
  const lines: string[] = [];
  const roomy = { RATE_LIMIT: '100000/60', RATE_LIMIT_ANONYMOUS: '100000/60' };
  const config = { ...loadConfig({ ADMIN_API_KEY: ADMIN_KEY, ...roomy, ...env }), database };
  const { app } = await createService(config, logTo({ write: (line) => lines.push(line) }));
  await app.listen(0, '127.0.0.1');
  const baseUrl = await app.getUrl();
  const membersOf = <Definition extends object>(collection: Definition): CollectionOf<Definition> =>
    app.get(collectionToken(collection as never), { strict: false });
  const [sessions, keys] = [membersOf(sessionCollection), membersOf(apiKeyCollection)];
  const admin = new HttpClient({ baseUrl, headers: [['X-API-Key', ADMIN_KEY]] });
  return {
    baseUrl,
    lines,
    password: PASSWORD,
    admin,
    database: app.get(Database),
    bearer: (token) => new HttpClient({ baseUrl, headers: [['Authorization', `Bearer ${token}`]] }),
    key: (key) => new HttpClient({ baseUrl, headers: [['X-API-Key', key]] }),
    basic: (username) => {
      const pair = Buffer.from(`${username}:${PASSWORD}`).toString('base64');
      return new HttpClient({ baseUrl, headers: [['Authorization', `Basic ${pair}`]] });
    },
    addUser: async (input) => {
      const answer = await admin.post('/users', { password: PASSWORD, ...input });
      if (answer.status !== 201) throw new Error(answer.text);
      return (answer.json() as { id: string }).id;
    },
    addSession: (userId, { created_at, expires_at, last_used_at: used }) =>
      sessions.transaction(async (tx) => {
        const last_used_at = used === undefined ? null : formatTime(used);
        const fields = { user_id: userId, scope: '', expires_at: formatTime(expires_at), last_used_at };
        const [made] = await sessions.insertAll(tx, [{ fields, past: { created_at } }]);
        return (made as Session).id;
      }),
    addKey: (userId, expiresAt) =>
      keys.transaction(async (tx) => {
        const fields = { user_id: userId, name: 'x', scopes: [], secrets: '[]', expires_at: formatTime(expiresAt) };
        return (await keys.insert(tx, fields)).resource.id;
      }),
    noteUses: async () => {
      await app.get(SessionUseWriter, { strict: false }).runNow();
      await app.get(AccessTokenUseWriter, { strict: false }).runNow();
    },
    audited: (event) => lines.some((line) => line.includes(`"event":"${event}"`)),
    close: async () => {
      app.getHttpServer().closeAllConnections();
      await app.close();
    },
  };
}

/** Posts a form. */
export function formOf(
  baseUrl: string,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(baseUrl + path, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });
}
