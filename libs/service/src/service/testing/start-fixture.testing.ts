import { logTo } from '../../runtime/logging/log.js';
import { HttpClient, type Answer } from '@items/testing';

import type { Config } from '../../runtime/config/config.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { createService, type Service } from './fixture.testing.js';

export const PASSWORD = 'correct horse battery';

export interface ServiceUnderTest {
  readonly service: Service;
  readonly baseUrl: string;
  readonly lines: string[];
  readonly admin: HttpClient;
  basic(username: string, password?: string): HttpClient;
  addUser(input: object): Promise<string>;
}

export async function startService(
  database: Config['database'],
  env: NodeJS.ProcessEnv = {},
): Promise<ServiceUnderTest> {
  const lines: string[] = [];
  const config: Config = {
    ...loadConfig({ ADMIN_API_KEY: 'a'.repeat(32), RATE_LIMIT_ANONYMOUS: '10000/60', RATE_LIMIT: '10000/60', ...env }),
    database,
  };
  const service = await createService(config, logTo({ write: (line) => lines.push(line) }));
  await service.app.listen(0, '127.0.0.1');
  const baseUrl = (await service.app.getUrl()).replace('[::1]', '127.0.0.1');
  const admin = new HttpClient({ baseUrl, headers: [['X-API-Key', 'a'.repeat(32)]] });
  return {
    service,
    baseUrl,
    lines,
    admin,
    basic: (username, password = PASSWORD) =>
      new HttpClient({ baseUrl, headers: [['Authorization', basicHeader(username, password)]] }),
    addUser: async (input) => {
      const answer = await admin.post('/users', { password: PASSWORD, ...input });
      if (answer.status !== 201) throw new Error(answer.text);
      return (answer.json() as { id: string }).id;
    },
  };
}

export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

export function refusal(answer: Answer): [status: number, code: string] {
  return [answer.status, (answer.json() as { code: string }).code];
}
