import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/* Starts the app and tests it against the specification: `npm run build && npm test`. */
const app = spawn(process.execPath, ['dist/main.js'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [line] = await once(createInterface(app.stdout), 'line');
const url = String(line).replace('Listening on ', '');
const { status } = spawnSync('npx', ['--no-install', 'items-conformance', url, '--profile', 'seed'], {
  stdio: 'inherit',
});
app.kill();
process.exitCode = status ?? 2;
