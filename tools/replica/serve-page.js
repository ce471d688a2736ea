import { once } from 'node:events';
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { workspaceRoot } from '../workspace/root.js';

/** What the page can do, as `bundle`: begin a replica in IndexedDB, and tell of it. */
const SOURCE = `
  import { createClient } from '@items/client';
  import { createReplica } from '@items/client/replica';
  import { indexedDbStore } from '@items/client/replica/indexed-db';
  export const errors = [];
  export let replica;
  export function begin({ baseUrl, apiKey, owner, name = 'items' }) {
    const client = createClient({ baseUrl, auth: { apiKey } });
    const store = indexedDbStore(name, { owner });
    replica = createReplica({ source: client.items, store, onError: (error) => errors.push(String(error)) });
    return replica.start().then(() => replica.status, (error) => String(error));
  }
  export const rows = () => JSON.stringify(replica.all());
`;

/** Serves the page at an origin of its own. @param {number} port */
export async function servePage(port) {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: workspaceRoot },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundle',
    target: 'es2022',
  });
  const script = outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end('<!doctype html><script src="/page.js"></script>');
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
