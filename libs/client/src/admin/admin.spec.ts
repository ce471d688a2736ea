import { closingFetch, startApp, type RunningApp } from '@items/testing';

import { createClient, type ItemsClient } from '../index.js';
import { adminResources, mergeEdits } from './index.js';

describe('adminResources', () => {
  let app: RunningApp;
  let client: ItemsClient;
  beforeAll(async () => {
    app = await startApp({ database: 'sqlite', env: { WEBHOOK_ALLOW: '127.0.0.0/8' } });
    client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey }, fetch: closingFetch });
  });
  afterAll(() => app.stop('SIGKILL'));

  it('has webhooks with deliveries, pings and replays', async () => {
    const { webhooks } = adminResources(client);
    const { after } = await client.events.list({ sort: '-timestamp', limit: 1 });
    const { id, secret } = await webhooks.create({ url: 'http://127.0.0.1:9/', events: ['item.*'] });
    expect(secret).toMatch(/^whsec_/);
    const ping = await webhooks.ping(id);
    expect(ping.type).toBe('webhook.ping');
    expect(await webhooks.deliveries(id).get(ping.id)).toMatchObject({ id: ping.id });
    const walked = [];
    for await (const delivery of webhooks.deliveries(id).walk({ type: 'webhook.ping' })) walked.push(delivery.id);
    expect(walked).toEqual([ping.id]);
    expect((await webhooks.deliveries(id).attempt(ping.id)).id).toBe(ping.id);
    expect(await webhooks.replay(id, { after })).toMatchObject({ after, only: null });
    expect((await webhooks.rotate(id)).secret).not.toBe(secret);
    await webhooks.update(id, ({ url, events, description }) => ({ url, events, description, disabled: true }));
    await expect(webhooks.replay(id, { after })).rejects.toMatchObject({ code: 'webhook_disabled' });
    await webhooks.delete(id);
    expect((await webhooks.page()).webhooks).toEqual([]);
  });

  it('has the grants of a user', async () => {
    const [username, password] = ['ada', 'correct horse battery'];
    await client.users.create({ username, password, role: 'member' });
    const ada = createClient({ baseUrl: app.baseUrl, auth: { username, password }, fetch: closingFetch });
    expect(await adminResources(ada).grants.page()).toMatchObject({ grants: [], total: 0 });
  });

  it('throws a TypeError without a client', () => {
    expect(() => adminResources({ items: {} } as ItemsClient)).toThrow(TypeError);
  });
});

describe('mergeEdits', () => {
  const base = { id: 'a', name: 'Mug', description: 'Old', price: 1, updated_at: '1' };
  const theirs = { ...base, price: 2, updated_at: '2' };

  it('keeps changes of only one side', () => {
    const { merged, conflicts } = mergeEdits(base, { name: 'Cup', description: 'Old', price: 1 }, theirs);
    expect(merged).toEqual({ ...theirs, name: 'Cup' });
    expect(conflicts).toEqual([]);
  });

  it('lists the fields that both changed, and merges the values of `mine`', () => {
    const { merged, conflicts } = mergeEdits(base, { ...base, price: 3 }, theirs);
    expect([merged.price, conflicts]).toEqual([3, ['price']]);
  });

  it('has no conflict if both made the same change, or changes that are stored equally', () => {
    expect(mergeEdits(base, { ...base, price: 2, name: ' Mug ' }, theirs)).toEqual({ merged: theirs, conflicts: [] });
  });

  it('treats an omitted field as null, and ignores the times of `mine`', () => {
    const { merged, conflicts } = mergeEdits(base, { name: 'Mug', price: 1, updated_at: '9' }, theirs);
    expect(merged).toEqual({ id: 'a', name: 'Mug', price: 2, updated_at: '2' });
    expect(conflicts).toEqual([]);
  });
});
