import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@items/client';
import { Text } from '@items/fields';
import { collection, startService } from '@items/service';
import { startApp } from '@items/testing';
import { dependenciesAreCurrent } from '../workspace/dependencies.ts';
import { workspaceRoot } from '../workspace/root.ts';
import { runNpm } from '../workspace/run.ts';

const folder = join(workspaceRoot, 'examples/mcp');
const READING = 'get_event get_item get_order get_transition list_events list_items list_orders list_transitions'.split(
  ' ',
);
const WRITING = ['create_item', 'create_order', 'create_transition', 'delete_item', 'replace_item'];

/**
 * Uses the MCP example with the client of the SDK and the real service.
 * @param {import('@items/testing').StartAppOptions} how start options of the service.
 */
export async function checkMcp(how) {
  await install();
  const app = await startApp(how);
  const admin = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey } });
  try {
    const user = { username: 'agent', password: 'correct horse battery staple', role: /** @type {const} */ ('member') };
    await admin.users.create(user);
    const own = createClient({ baseUrl: app.baseUrl, auth: { username: 'agent', password: user.password } });
    const keyOf = async (/** @type {import('@items/client').Scope[]} */ scopes) =>
      (await own.apiKeys.create({ name: 'Agent', scopes })).key;
    await tryRefusals(app.baseUrl, await keyOf(['keys:manage']));
    await tryReading(app.baseUrl, await keyOf(['items:read', 'orders:read']), admin);
    await tryWriting(app.baseUrl, await keyOf(['items:read', 'items:write', 'orders:read', 'orders:write']), admin);
  } finally {
    await app.stop();
  }
}

async function install() {
  if (dependenciesAreCurrent('develop', folder)) return;
  const options = ['--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, output } = await runNpm(['ci', ...options], { cwd: folder, output: 'collect', limitMs: 300_000 });
  if (!ok) throw new Error(`npm ci (examples/mcp): ${output.trimEnd()}`);
}

/** Uses the example with a service of other collections, one of them nested. */
export async function checkMcpWithOtherCollections() {
  await install();
  class Named {
    name = '';
  }
  Text({ min: 1, max: 100 })(Named.prototype, 'name');
  const shelves = collection({ name: 'shelves', singular: 'shelf', input: Named });
  const books = collection({ name: 'books', singular: 'book', input: Named, parent: shelves });
  const settings = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'silent' };
  const service = await startService({ collections: [shelves, books], settings, signals: false });
  try {
    const env = { ITEMS_URL: service.url, ITEMS_KEY: service.adminKey ?? '', ITEMS_WRITES: 'on' };
    await using agent = await connected(env);
    const tools = await agent.tools();
    assert.ok(
      ['create_shelf', 'list_books', 'replace_book'].every((name) => tools.includes(name)),
      String(tools),
    );
    assert.ok(!tools.some((/** @type {string} */ name) => /key|webhook|client|session/.test(name)), String(tools));
    const shelf = await agent.answer('create_shelf', { name: 'Novels' });
    const book = await agent.answer('create_book', { shelf_id: shelf.id, name: 'Emma' });
    assert.equal(book.shelf_id, shelf.id);
    assert.equal((await agent.answer('list_books', { shelf_id: shelf.id })).total, 1);
    assert.match(await agent.refusal('list_books', {}), /shelf/);
  } finally {
    await service.stop();
  }
}

/**
 * @param {string} baseUrl
 * @param {string} unfit a key that may read no collection.
 */
async function tryRefusals(baseUrl, unfit) {
  const refused = async (/** @type {Record<string, string>} */ env) => {
    const { code, stderr } = await ended({ ITEMS_URL: baseUrl, ...env });
    assert.equal(code, 2);
    return stderr;
  };
  assert.equal(
    await refused({ ITEMS_KEY: '' }),
    'ITEMS_KEY is missing: set it to an API key with scopes such as items:read.\n',
  );
  assert.match(await refused({ ITEMS_KEY: 'itk_wrong' }), /^ITEMS_KEY is wrong: [^\n]+\n$/);
  assert.equal(
    await refused({ ITEMS_KEY: unfit }),
    'ITEMS_KEY may read no collection: give it scopes such as items:read.\n',
  );
  assert.match(await refused({ ITEMS_KEY: unfit, ITEMS_URL: 'http://127.0.0.1:1' }), /^http:\S+: [^\n]+\n$/);
}

/**
 * Runs the server until it ends.
 * @param {Record<string, string>} env
 * @returns {Promise<{ code: number | null, stderr: string }>}
 */
async function ended(env) {
  const child = spawn(process.execPath, [join(folder, 'server.js')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  const [code] = await once(child, 'close');
  return { code, stderr };
}

/**
 * @param {string} baseUrl
 * @param {string} key
 * @param {import('@items/client').ItemsClient} admin
 */
async function tryReading(baseUrl, key, admin) {
  for (const [name, price] of /** @type {const} */ ([
    ['Mug', 3],
    ['Pot', 12],
    ['Pan', 20],
  ]))
    await admin.items.create({ name, price });
  await using agent = await connected({ ITEMS_URL: baseUrl, ITEMS_KEY: key });
  assert.deepEqual(await agent.tools(), READING);
  assert.equal((await agent.answer('list_items', { sort: 'name' })).total, 3);
  const changes = await agent.answer('list_events', { limit: 2 });
  const later = await agent.answer('list_events', { after: changes.after });
  assert.deepEqual([changes.events.length, later.events.length], [2, 1]);
  assert.deepEqual((await agent.answer('list_events', { after: later.after })).events, []);
  const first = await agent.answer('list_items', { sort: '-price', limit: 1, price_max: 15 });
  assert.deepEqual(namesOf(first), ['Pot']);
  const second = await agent.answer('list_items', {
    sort: '-price',
    limit: 1,
    price_max: 15,
    cursor: first.next_cursor,
  });
  assert.deepEqual(namesOf(second), ['Mug']);
  assert.equal((await agent.answer('get_item', { id: first.items[0].id })).name, 'Pot');
  assert.deepEqual((await agent.answer('list_orders', {})).orders, []);
  assert.equal(await agent.refusal('get_item', { id: 'nothing' }), 'There is no item with this id.');
  assert.match(await agent.refusal('list_items', { sort: 'name', price_min: 5 }), /price_min/);
  assert.equal(await agent.refusal('create_item', { name: 'Cup' }), 'There is no tool create_item.');
  assert.equal((await admin.items.page()).total, 3);
}

/**
 * @param {string} baseUrl
 * @param {string} key
 * @param {import('@items/client').ItemsClient} admin
 */
async function tryWriting(baseUrl, key, admin) {
  await using agent = await connected({ ITEMS_URL: baseUrl, ITEMS_KEY: key, ITEMS_WRITES: 'on' });
  assert.deepEqual(await agent.tools(), [...READING, ...WRITING].sort());
  const cup = await agent.answer('create_item', { name: 'Cup', price: 2.5 });
  assert.equal((await agent.answer('replace_item', { id: cup.id, name: 'Cup', color: 'red' })).price, null);
  const lines = [{ item_id: cup.id, quantity: 2 }];
  assert.match(await agent.refusal('create_order', { lines }), /price/);
  await agent.answer('replace_item', { id: cup.id, name: 'Cup', price: 4 });
  const made = await agent.answer('create_order', { lines: JSON.stringify(lines) });
  assert.equal((await agent.answer('create_transition', { order_id: made.id, to: 'confirmed' })).to, 'confirmed');
  assert.equal((await agent.answer('list_transitions', { order_id: made.id })).total, 1);
  assert.match(await agent.refusal('create_order', { lines: 'two mugs' }), /"lines"/);
  assert.deepEqual((await agent.answer('list_items', { color: 'red,blue' })).items, []);
  assert.equal((await agent.answer('get_order', { id: made.id })).total, 8);
  assert.match(await agent.refusal('create_item', { name: 'Cup', price: 1.234 }), /"price"/);
  assert.deepEqual(await agent.answer('delete_item', { id: cup.id }), { deleted: cup.id });
  assert.equal((await admin.items.page()).total, 3);
}

/** @param {Record<string, string>} env environment of the server. */
async function connected(env) {
  const { Client } = await sdk('client/index.js');
  const { StdioClientTransport } = await sdk('client/stdio.js');
  const client = new Client({ name: 'check', version: '1.0.0' });
  const args = [join(folder, 'server.js')];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { ...process.env, ...env } }));
  /** @param {string} name @param {object} args */
  const call = async (name, args) => {
    // The client of the SDK compares `structuredContent` with the output schema of a listed tool.
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args });
    const { text } = content[0];
    assert.ok(!text.includes(env.ITEMS_KEY), `${name} shows the key`);
    if (!isError) assert.deepEqual(structuredContent, JSON.parse(text));
    return { text, isError };
  };
  return {
    tools: async () => (await client.listTools()).tools.map((/** @type {{ name: string }} */ { name }) => name).sort(),
    /** @param {string} name @param {object} args */
    answer: async (name, args) => {
      const { text, isError } = await call(name, args);
      assert.ok(!isError, `${name}: ${text}`);
      return JSON.parse(text);
    },
    /** @param {string} name @param {object} args */
    refusal: async (name, args) => {
      const { text, isError } = await call(name, args);
      assert.ok(isError, `${name} was not refused: ${text}`);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The example has the SDK as dependency, the workspace does not. @param {string} file */
function sdk(file) {
  const { resolve } = createRequire(join(folder, 'server.js'));
  return import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${file}`)).href);
}

function namesOf(/** @type {{ items: { name: string }[] }} */ { items }) {
  return items.map(({ name }) => name);
}
