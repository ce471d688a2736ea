import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { createClient, type ItemsClient, type Scope } from '@items/client';
import { postgresUnderTest, startApp, type DatabaseName, type RunningApp } from '@items/testing';

import { startBookshop } from '../harness/bookshop.js';
import { describeStartedOnce } from '../harness/service.js';
import { PASSWORD } from '../harness/users.js';
import { Agent, EXAMPLE, SERVER } from './agent.js';

const READING = [
  ...['get_event', 'get_item', 'get_order', 'get_transition'],
  ...['list_events', 'list_items', 'list_orders', 'list_transitions'],
];
const WRITING = ['create_item', 'create_order', 'create_transition', 'delete_item', 'replace_item'];
const OPTIONS = ['--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Runs the server until it ends. */
function ended(env: Readonly<Record<string, string>>): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SERVER], { env: { ...process.env, ...env } }, (error, _stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}

describeStartedOnce('The example for agents', () => {
  beforeAll(() => promisify(execFile)('npm', ['ci', ...OPTIONS], { cwd: EXAMPLE }), 300_000);

  describe('with a service on SQLite', () => {
    describeAgents('sqlite');
  });
  (postgresUnderTest() === undefined ? describe.skip : describe)('with a service on PostgreSQL', () => {
    describeAgents('postgres');
  });

  describe('with a service of other collections', () => {
    let app: RunningApp;
    let agent: Agent;
    beforeAll(async () => {
      app = await startBookshop();
      agent = await Agent.connect({ ITEMS_URL: app.baseUrl, ITEMS_KEY: app.adminKey, ITEMS_WRITES: 'on' });
    });
    afterAll(async () => {
      await agent.close();
      await app.stop();
    });

    it('has tools for each collection, and none for keys, webhooks and logins', async () => {
      const tools = await agent.tools();
      expect(tools).toEqual(expect.arrayContaining(['create_author', 'list_quotes', 'replace_quote']));
      expect(tools.filter((name) => /key|webhook|client|session/.test(name))).toEqual([]);
    });

    it('needs the parent of a nested collection', async () => {
      const { id: author_id } = await agent.answer('create_author', { name: 'Jane Austen' });
      const quote = await agent.answer('create_quote', { author_id, text: 'There is no charm.' });
      expect(quote).toMatchObject({ author_id });
      expect(await agent.answer('list_quotes', { author_id })).toMatchObject({ total: 1 });
      expect(await agent.refusal('list_quotes', {})).toMatch(/author/);
    });
  });
});

function describeAgents(database: DatabaseName): void {
  let app: RunningApp;
  let admin: ItemsClient;
  let keyWith: (...scopes: Scope[]) => Promise<string>;

  beforeAll(async () => {
    app = await startApp({ database });
    admin = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } });
    await admin.users.create({ username: 'agent', password: PASSWORD, role: 'member' });
    const own = createClient({ baseUrl: app.baseUrl, auth: { username: 'agent', password: PASSWORD } });
    keyWith = async (...scopes) => (await own.apiKeys.create({ name: 'Agent', scopes })).key;
    await admin.items.create({ name: 'Mug', price: 3 });
    await admin.items.create({ name: 'Pot', price: 12 });
    await admin.items.create({ name: 'Pan', price: 20 });
  });
  afterAll(() => app.stop());

  describe('ends with a sentence', () => {
    it('a missing key ends it with exit code 2', async () => {
      expect(await ended({ ITEMS_URL: app.baseUrl, ITEMS_KEY: '' })).toEqual({
        code: 2,
        stderr: 'ITEMS_KEY is missing: set it to an API key with scopes such as items:read.\n',
      });
    });

    it('a wrong key ends it with exit code 2', async () => {
      const { code, stderr } = await ended({ ITEMS_URL: app.baseUrl, ITEMS_KEY: 'itk_wrong' });
      expect(stderr).toMatch(/^ITEMS_KEY is wrong: [^\n]+\n$/);
      expect(code).toBe(2);
    });

    it('a key that may read no collection ends it with exit code 2', async () => {
      expect(await ended({ ITEMS_URL: app.baseUrl, ITEMS_KEY: await keyWith('keys:manage') })).toEqual({
        code: 2,
        stderr: 'ITEMS_KEY may read no collection: give it scopes such as items:read.\n',
      });
    });

    it('a missing service ends it with exit code 2', async () => {
      const ITEMS_KEY = await keyWith('keys:manage');
      const { code, stderr } = await ended({ ITEMS_URL: 'http://127.0.0.1:1', ITEMS_KEY });
      expect(stderr).toMatch(/^http:\S+: [^\n]+\n$/);
      expect(code).toBe(2);
    });
  });

  describe('without ITEMS_WRITES', () => {
    let agent: Agent;
    beforeAll(async () => {
      const ITEMS_KEY = await keyWith('items:read', 'orders:read');
      agent = await Agent.connect({ ITEMS_URL: app.baseUrl, ITEMS_KEY });
    });
    afterAll(() => agent.close());

    it('has only tools that read', async () => {
      expect(await agent.tools()).toEqual(READING);
      expect(await agent.refusal('create_item', { name: 'Cup' })).toBe('There is no tool create_item.');
      expect((await admin.items.page()).total).toBe(3);
    });

    it('lists items by pages, sorts and ranges, and gets one by its id', async () => {
      expect(await agent.answer('list_items', { sort: 'name' })).toMatchObject({ total: 3 });
      const query = { sort: '-price', limit: 1, price_max: 15 };
      const first = await agent.answer('list_items', query);
      expect(first).toMatchObject({ items: [{ name: 'Pot' }] });
      const second = await agent.answer('list_items', { ...query, cursor: first.next_cursor });
      expect(second).toMatchObject({ items: [{ name: 'Mug' }] });
      const [{ id }] = first['items'] as [{ id: string }];
      expect(await agent.answer('get_item', { id })).toMatchObject({ name: 'Pot' });
    });

    it('lists the changes after a position', async () => {
      const changes = await agent.answer('list_events', { limit: 2 });
      expect(changes['events']).toHaveLength(2);
      const later = await agent.answer('list_events', { after: changes.after });
      expect(later['events']).toHaveLength(1);
      expect(await agent.answer('list_events', { after: later.after })).toMatchObject({ events: [] });
    });

    it('lists the orders of its user', async () => {
      expect(await agent.answer('list_orders', {})).toMatchObject({ orders: [] });
    });

    it('returns the error messages of the service', async () => {
      expect(await agent.refusal('get_item', { id: 'nothing' })).toBe('There is no item with this id.');
      expect(await agent.refusal('list_items', { sort: 'name', price_min: 5 })).toMatch(/price_min/);
    });
  });

  describe('with ITEMS_WRITES=on', () => {
    let agent: Agent;
    beforeAll(async () => {
      const ITEMS_KEY = await keyWith('items:read', 'items:write', 'orders:read', 'orders:write');
      agent = await Agent.connect({ ITEMS_URL: app.baseUrl, ITEMS_KEY, ITEMS_WRITES: 'on' });
    });
    afterAll(() => agent.close());

    it('the agent also has tools that write', async () => {
      expect(await agent.tools()).toEqual([...READING, ...WRITING].sort());
    });

    it('writes items, and orders them once they have a price', async () => {
      const { id } = await agent.answer('create_item', { name: 'Cup', price: 2.5 });
      expect(await agent.answer('replace_item', { id, name: 'Cup', color: 'red' })).toMatchObject({ price: null });
      const lines = [{ item_id: id, quantity: 2 }];
      expect(await agent.refusal('create_order', { lines })).toMatch(/price/);
      await agent.answer('replace_item', { id, name: 'Cup', price: 4 });
      const { id: order_id } = await agent.answer('create_order', { lines: JSON.stringify(lines) });
      const transition = await agent.answer('create_transition', { order_id, to: 'confirmed' });
      expect(transition).toMatchObject({ to: 'confirmed' });
      expect(await agent.answer('list_transitions', { order_id })).toMatchObject({ total: 1 });
      expect(await agent.answer('get_order', { id: order_id })).toMatchObject({ total: 8 });
      expect(await agent.answer('list_items', { color: 'red,blue' })).toMatchObject({ items: [] });
      expect(await agent.answer('delete_item', { id })).toEqual({ deleted: id });
      expect((await admin.items.page()).total).toBe(3);
    });

    it('names the wrong field', async () => {
      expect(await agent.refusal('create_order', { lines: 'two mugs' })).toMatch(/"lines"/);
      expect(await agent.refusal('create_item', { name: 'Cup', price: 1.234 })).toMatch(/"price"/);
    });
  });
}
