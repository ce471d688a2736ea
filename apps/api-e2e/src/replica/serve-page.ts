import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { build, stop } from 'esbuild';

const workspace = join(__dirname, '../../../..');

/** Serves files until the returned function is called. @param files path → content. */
export async function serveFiles(port: number, files: Readonly<Record<string, string>>): Promise<() => void> {
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

/** Bundles a module with the packages that it imports, and ends esbuild, which would prevent Jest from exiting. */
export async function bundleForBrowser(contents: string): Promise<string> {
  try {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: workspace },
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    });
    return outputFiles[0]!.text;
  } finally {
    await stop();
  }
}
