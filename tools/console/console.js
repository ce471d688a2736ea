import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt } from '../workspace/build.js';
import { ensureDependencies } from '../workspace/dependencies.js';
import { workspaceRoot } from '../workspace/root.js';

/*
 * `npm run tool -- console`: starts the service as `npm start` does, and the page of examples/console beside it. Both end together.
 */
const servicePort = process.env.PORT || '3000';
const consolePort = Number(process.env.CONSOLE_PORT || 3001);
const baseUrl = process.env.BASE_URL || `http://localhost:${servicePort}`;
const origin = `http://localhost:${consolePort}`;

await ensureDependencies('run');
await ensureBuilt('run');
const { buildConsole } = await import('./build-console.js');
const folder = await buildConsole();
const pages = [process.env.FIRST_PARTY_REDIRECTS, `${origin}/`].filter(Boolean).join(',');
const service = spawn(process.execPath, [join(workspaceRoot, 'tools/start.js')], {
  stdio: 'inherit',
  env: { ...process.env, PORT: servicePort, FIRST_PARTY_REDIRECTS: pages },
});
const ended = once(service, 'exit').then(([code]) => process.exit(code ?? 1));
process.on('SIGINT', () => undefined).on('SIGTERM', () => void service.kill('SIGTERM'));

await Promise.race([ready(), ended]);
const { serveConsole } = await import('./serve-console.js');
await serveConsole(folder, consolePort, baseUrl);
console.log(`The console is at ${origin}; sign in as a user of the service (npm run seed makes some).`);

async function ready() {
  const answers = () =>
    fetch(`http://127.0.0.1:${servicePort}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 200));
}
