import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Serves a built page in a separate process, because Vite changes NODE_ENV of its process.
 * @param folder of the page.
 * @param port on 127.0.0.1.
 * @returns a function that stops the server.
 */
export async function startPreview(folder: string, port: number): Promise<() => void> {
  const args = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(process.execPath, [...args, '--strictPort'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`vite preview ended with code ${String(code)} before it served the page.`);
  });
  // Vite prints its address when it listens.
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  child.stdout.resume();
  return () => void child.kill();
}
