import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
]);

/**
 * Serves the page as one should be served: it may load its own files and call the service, and nothing else.
 * @param {string} folder of the build.
 * @param {number} port of 127.0.0.1 and localhost; 0 for a free one.
 * @param {string} baseUrl of the service, whose own client the page is.
 * @returns {Promise<{ port: number, stop: () => void }>}
 */
export async function serveConsole(folder, port, baseUrl) {
  const server = createServer(async (request, response) => {
    const url = `http://console${request.url ?? '/'}`;
    const pathname = URL.canParse(url) ? new URL(url).pathname : '';
    for (const [name, value] of Object.entries(headersFor(baseUrl))) response.setHeader(name, value);
    if (pathname === '/config.json') {
      response.setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store');
      return response.end(JSON.stringify({ baseUrl, clientId: 'first-party', scopes: [] }));
    }
    const file = pathname === '/' ? '/index.html' : normalize(pathname);
    const type = TYPES.get(extname(file));
    const content = type === undefined ? undefined : await readFile(join(folder, file)).catch(() => undefined);
    if (type === undefined || content === undefined) return response.writeHead(404).end('Not found\n');
    // Names of files hold a hash of what is in them; the page's own does not.
    const lasts = file.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return response.setHeader('content-type', type).setHeader('cache-control', lasts).end(content);
  });
  server.listen(port, 'localhost');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    port: address.port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @param {string} service */
function headersFor(service) {
  const policy = {
    'default-src': `'none'`,
    'script-src': `'self'`,
    'style-src': `'self'`,
    'connect-src': `'self' ${new URL(service).origin}`,
    'img-src': 'data:',
    'base-uri': `'none'`,
    'form-action': `'none'`,
    'frame-ancestors': `'none'`,
  };
  return {
    'content-security-policy': Object.entries(policy)
      .map((each) => each.join(' '))
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
