import { logTo } from '@items/logging';
import { Database } from '@items/store';
import { HttpClient } from '@items/testing';

import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { createService } from '../create-service.js';

const ADMIN_KEY = 'a'.repeat(32);
const PASSWORD = 'correct horse battery';

/** The whole service, for what needs users and tokens. */
export interface OauthUnderTest {
  readonly baseUrl: string;
  /** Lines of the log. */
  readonly lines: readonly string[];
  /** Of every user. */
  readonly password: string;
  readonly admin: HttpClient;
  /** Of the service itself. */
  readonly database: Database;
  bearer(token: string): HttpClient;
  /** With {@link password}. */
  basic(username: string): HttpClient;
  /** A new user's id. */
  addUser(input: object): Promise<string>;
  /** Whether the audit log tells of it. */
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
  const admin = new HttpClient({ baseUrl, headers: [['X-API-Key', ADMIN_KEY]] });
  return {
    baseUrl,
    lines,
    password: PASSWORD,
    admin,
    database: app.get(Database),
    bearer: (token) => new HttpClient({ baseUrl, headers: [['Authorization', `Bearer ${token}`]] }),
    basic: (username) => {
      const pair = Buffer.from(`${username}:${PASSWORD}`).toString('base64');
      return new HttpClient({ baseUrl, headers: [['Authorization', `Basic ${pair}`]] });
    },
    addUser: async (input) => {
      const answer = await admin.post('/users', { password: PASSWORD, ...input });
      if (answer.status !== 201) throw new Error(answer.text);
      return (answer.json() as { id: string }).id;
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
