import type { CreatedApiKey } from '@items/contracts';
import type { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../database/database.testing.js';
import { refusal, startService, type ServiceUnderTest } from '../users/users.testing.js';

/** More than RATE_LIMIT allows here, 10 000 requests in 60 s. */
const LARGE = { requests: 10_001, seconds: 60 };
const EQUAL = { requests: 20_000, seconds: 120 };

describeOnBothDatabases('§8 A key may carry its own quota', (under) => {
  let running: ServiceUnderTest;
  let member: HttpClient;
  const input = { name: 'x', scopes: ['items:read', 'keys:manage'] };

  beforeAll(async () => {
    running = await startService(under.config);
    await running.addUser({ username: 'mel', role: 'member' });
    member = running.basic('mel');
  });
  afterAll(() => running.service.app.close());

  it('never a larger one than who makes or changes it has: 403', async () => {
    expect(refusal(await member.post('/api-keys', { ...input, rate_limit: LARGE }))).toEqual([403, 'quota_escalation']);
    const made = await member.post('/api-keys', { ...input, rate_limit: EQUAL });
    expect(made.status).toBe(201);
    const { id } = made.json() as CreatedApiKey;
    const grown = { name: 'x', rate_limit: LARGE };
    expect(refusal(await member.put(`/api-keys/${id}`, grown))).toEqual([403, 'quota_escalation']);
    expect((await member.put(`/api-keys/${id}`, { name: 'x', rate_limit: EQUAL })).status).toBe(200);
  });

  it('nor than the key has by which it is made', async () => {
    const few = { requests: 5, seconds: 60 };
    const { key } = (await member.post('/api-keys', { ...input, rate_limit: few })).json() as CreatedApiKey;
    const narrow = member.having({ headers: [['X-API-Key', key]] });
    const answer = await narrow.post('/api-keys', { ...input, rate_limit: EQUAL });
    expect(refusal(answer)).toEqual([403, 'quota_escalation']);
  });

  it('but an administrator gives any', async () => {
    expect((await running.admin.post('/api-keys', { ...input, rate_limit: LARGE })).status).toBe(201);
  });
});
