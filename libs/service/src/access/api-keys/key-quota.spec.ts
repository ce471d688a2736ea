import type { CreatedApiKey } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { refusal, startService, type ServiceUnderTest } from '../../service/testing/start-fixture.testing.js';

/** RATE_LIMIT allows 10 000 requests in 60 s here. */
const EQUAL = { requests: 10_000, seconds: 60 };
const MORE_A_SECOND = { requests: 200, seconds: 1 };
const LARGER_BURST = { requests: 20_000, seconds: 120 };

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

  it.each([
    ['more requests a second', MORE_A_SECOND],
    ['a larger burst', LARGER_BURST],
  ])('never with %s than its creator or editor has: 403', async (_what, large) => {
    expect(refusal(await member.post('/api-keys', { ...input, rate_limit: large }))).toEqual([403, 'quota_escalation']);
    const made = await member.post('/api-keys', { ...input, rate_limit: EQUAL });
    expect(made.status).toBe(201);
    const { id } = made.json() as CreatedApiKey;
    const grown = { name: 'x', rate_limit: large };
    expect(refusal(await member.put(`/api-keys/${id}`, grown))).toEqual([403, 'quota_escalation']);
    expect((await member.put(`/api-keys/${id}`, { name: 'x', rate_limit: EQUAL })).status).toBe(200);
  });

  it('a key cannot give another key more than its own quota, by create, PUT or rotation', async () => {
    const few = { requests: 50, seconds: 60 };
    const { key } = (await member.post('/api-keys', { ...input, rate_limit: few })).json() as CreatedApiKey;
    const narrow = member.withOptions({ headers: [['X-API-Key', key]] });
    const refused = [403, 'quota_escalation'];
    expect(refusal(await narrow.post('/api-keys', { ...input, rate_limit: EQUAL }))).toEqual(refused);
    const made = (await narrow.post('/api-keys', input)).json() as CreatedApiKey;
    expect(made.rate_limit).toEqual(few);
    const cleared = { name: 'x', rate_limit: null };
    expect(refusal(await narrow.put(`/api-keys/${made.id}`, cleared))).toEqual(refused);
    const usual = (await member.post('/api-keys', input)).json() as CreatedApiKey;
    expect(refusal(await narrow.post(`/api-keys/${usual.id}/rotations`, {}))).toEqual(refused);
    expect((await narrow.post(`/api-keys/${made.id}/rotations`, {})).status).toBe(201);
  });

  it('an administrator gives any quota', async () => {
    expect((await running.admin.post('/api-keys', { ...input, rate_limit: LARGER_BURST })).status).toBe(201);
  });
});
