import { once } from 'node:events';
import { createServer } from 'node:http';
import { build } from 'esbuild';
import { workspaceRoot } from '../workspace/root.ts';

/** Script of the page. `bundle` starts a replica in IndexedDB and returns its rows. */
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

/** Serves the page at a separate origin. @param {number} port */
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
  const html = '<!doctype html><script src="/page.js"></script>';
  return serveFiles(port, { '/': html, '/page.js': outputFiles[0]?.text ?? '' });
}

/**
 * Serves files until the returned function is called.
 * @param {number} port @param {Record<string, string>} files path → content.
 */
export async function serveFiles(port, files) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const content = files[pathname];
    if (content === undefined) return response.writeHead(404).end();
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    return response.setHeader('content-type', type).end(content);
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
