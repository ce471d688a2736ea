import { randomUUID } from 'node:crypto';
import { createClient, ItemsApiError } from '@items/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/* Lets an agent use an Items service: each collection becomes some tools of the Model Context Protocol. */
const { ITEMS_URL: baseUrl = 'http://localhost:3000', ITEMS_KEY: apiKey = '', ITEMS_WRITES = 'off' } = process.env;
if (apiKey === '' || !['on', 'off'].includes(ITEMS_WRITES)) {
  console.error(
    'ITEMS_KEY is an API key with items:read and orders:read. ITEMS_WRITES=on offers the tools that write.',
  );
  process.exit(2);
}
const client = createClient({ baseUrl, auth: { apiKey }, userAgent: 'items-mcp/1.0' });
const server = new McpServer({ name: 'items', version: '1.0.0' });

const id = z.string().describe('Its id');
const color = z.string().max(100).nullish();
const price = z.number().min(0).nullish().describe('With at most two decimals');
const time = z.string().describe('RFC 3339: 2026-11-01T00:00:00Z');
const lines = z.array(z.object({ item_id: z.string(), quantity: z.int().min(1) })).min(1);

/** What the tools of a collection take; those that write are left out where there is nothing to write. */
const collections = [
  {
    many: 'items',
    one: 'item',
    rows: client.items,
    sorts: ['name', '-name', 'price', '-price', 'created_at', '-created_at'],
    filters: {
      color: z.array(z.string()).optional(),
      name_prefix: z.string().optional().describe('Only with a sort by name, as each range'),
      price_min: z.number().optional(),
      price_max: z.number().optional(),
      created_at_min: time.optional(),
    },
    input: { name: z.string().min(1).max(200), color, price },
    writes: ['create', 'replace', 'delete'],
  },
  {
    many: 'orders',
    one: 'order',
    rows: client.orders('me'),
    sorts: ['created_at', '-created_at', 'total', '-total'],
    filters: { status: z.array(z.enum(['pending', 'confirmed', 'shipped', 'delivered', 'cancelled'])).optional() },
    input: { lines },
    writes: ['create'],
  },
];

/** Keys of this run: the id of a call is unique only within it. */
const run = randomUUID();
const optionsOf = ({ requestId, signal }) => ({ idempotencyKey: `${run}-${String(requestId)}`, signal });

for (const { many, one, rows, sorts, filters, input, writes } of collections) {
  reading(`list_${many}`, `One page of the ${many}. Pass next_cursor on as cursor, with the same sort and filters.`, {
    sort: z.enum(sorts).optional(),
    limit: z.int().min(1).max(20).default(20),
    cursor: z.string().optional(),
    ...filters,
    call: (query, { signal }) => rows.page(query, { signal }),
  });
  reading(`get_${one}`, `One ${one}.`, { id, call: (args, { signal }) => rows.get(args.id, { signal }) });
  writing(writes, 'create', `create_${one}`, `Makes one ${one}.`, {
    ...input,
    call: (fields, extra) => rows.create(fields, optionsOf(extra)),
  });
  writing(writes, 'replace', `replace_${one}`, `Replaces all fields of one ${one}: what is left out becomes null.`, {
    id,
    ...input,
    call: ({ id: which, ...fields }, { signal }) => rows.update(which, () => fields, { signal }),
  });
  writing(writes, 'delete', `delete_${one}`, `Deletes one ${one} for good.`, {
    id,
    call: async (args, { signal }) => {
      await rows.delete(args.id, { signal });
      return { deleted: args.id };
    },
  });
}

function reading(name, description, { call, ...inputSchema }) {
  tool(name, { description, inputSchema, annotations: { readOnlyHint: true } }, call);
}

function writing(writes, kind, name, description, { call, ...inputSchema }) {
  if (ITEMS_WRITES !== 'on' || !writes.includes(kind)) return;
  const annotations = { readOnlyHint: false, destructiveHint: kind !== 'create', idempotentHint: kind !== 'create' };
  tool(name, { description, inputSchema, annotations }, call);
}

function tool(name, config, call) {
  server.registerTool(name, config, async (args, extra) => {
    try {
      return textOf(JSON.stringify(await call(args, extra)));
    } catch (error) {
      return { ...textOf(sentenceOf(error)), isError: true };
    }
  });
}

function textOf(text) {
  return { content: [{ type: 'text', text }] };
}

/** The service's own sentences, one for each field that is wrong. They hold no key. */
function sentenceOf(error) {
  if (!(error instanceof ItemsApiError)) return error instanceof Error ? error.message : String(error);
  return [error.message, ...error.details.map(({ message }) => message)].join('\n');
}

await server.connect(new StdioServerTransport());
