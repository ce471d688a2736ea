import { randomUUID } from 'node:crypto';
import { createClient, ItemsApiError } from '@items/client';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { toolsOf } from './tools.js';

/* Offers the collections that a key may read as tools of the Model Context Protocol. */
const { ITEMS_URL: baseUrl = 'http://localhost:3000', ITEMS_KEY: apiKey = '', ITEMS_WRITES = 'off' } = process.env;
if (apiKey === '') end('ITEMS_KEY is missing: set it to an API key with scopes such as items:read.');
if (!['on', 'off'].includes(ITEMS_WRITES)) end('ITEMS_WRITES is on or off. With on there are tools that write.');

const run = randomUUID();
const client = createClient({ baseUrl, auth: { apiKey }, userAgent: 'items-mcp/2.0' });
const tools = await toolsOfService().catch((error) =>
  end(error.status === 401 ? `ITEMS_KEY is wrong: ${sentenceOf(error)}` : `${baseUrl}: ${sentenceOf(error)}`),
);
if (tools.size === 0) end('ITEMS_KEY may read no collection: give it scopes such as items:read.');

const server = new Server({ name: 'items', version: '2.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.values()].map(({ shown }) => shown) }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, call) => {
  const tool = tools.get(name);
  if (tool === undefined) return refusal(`There is no tool ${name}.`);
  try {
    const result = await tool.run(input, optionsOf(call));
    return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    return refusal(sentenceOf(error));
  }
});
await server.connect(new StdioServerTransport());

/** Creates the tools for the collections that the key may read. */
async function toolsOfService() {
  const response = await fetch(new URL('openapi.json', baseUrl.replace(/\/?$/, '/')));
  if (!response.ok) throw new Error(`The document /openapi.json is missing: HTTP ${response.status}.`);
  return toolsOf(await response.json(), client, { writes: ITEMS_WRITES === 'on', mayRead });
}

/** Requests one row. @throws {ItemsApiError} if the key is invalid, or the service is down. */
async function mayRead(collection) {
  try {
    await collection.page({ limit: 1 });
    return true;
  } catch (error) {
    // 403: the key lacks the scope. 404: the key belongs to no user, so it has none of a user's rows.
    if (error instanceof ItemsApiError && [403, 404].includes(error.status)) return false;
    throw error;
  }
}

/** The ids of calls are unique only within one run, so the key contains the id of the run. */
function optionsOf({ requestId, signal }) {
  return { idempotencyKey: `${run}-${String(requestId)}`, signal };
}

function refusal(text) {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Returns the error messages of the service, one for each invalid field. They do not contain the key. */
function sentenceOf(error) {
  if (!(error instanceof ItemsApiError)) return error instanceof Error ? error.message : String(error);
  return [error.message, ...error.details.map(({ message }) => message)].join('\n');
}

function end(sentence) {
  console.error(sentence);
  process.exit(2);
}
