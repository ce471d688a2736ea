import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge } from '@items/conformance';
import { freePort, waitUntil } from '@items/testing';
import { format } from 'prettier';
import { installFixture } from '../workspace/install-fixture.ts';
import { workspacePath } from '../workspace/root.ts';
import { markdownReport } from './report.ts';
import { services, type ForeignService } from './services.ts';

/*
 * `node tools/run.js tools/conformance/reports.ts [name …]`: tests services of other authors and writes the results to
 * docs/conformance. Installs the services in tmp/, and runs them only on this machine.
 */
const wanted = process.argv.slice(2);
const pages = workspacePath('docs/conformance');
mkdirSync(pages, { recursive: true });
for (const service of services) {
  if (wanted.length > 0 && !wanted.includes(service.name)) continue;
  const { name } = service;
  const judgement = await judged(service);
  const markdown = await format(markdownReport(judgement, service), {
    parser: 'markdown',
    printWidth: 120,
  });
  writeFileSync(join(pages, `${name}.md`), markdown);
  console.log(`docs/conformance/${name}.md: ${judgement.conformant ? 'conformant' : 'not conformant'}`);
}

async function judged(service: ForeignService) {
  const { name } = service;
  const folder = await installFixture(`conformance/${name}`);
  const port = await freePort();
  const child = spawn(process.execPath, service.command(port), {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    const reached = () => fetch(`${url}/items`).then(() => true);
    await waitUntil(`${name} answers at ${url}`, async () => child.exitCode !== null || (await reached()));
    return await judge({ url, seed: service.name, naming: service.naming ?? {} });
  } finally {
    child.kill();
  }
}
