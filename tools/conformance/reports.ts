import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judge } from '@items/conformance';
import { freePort, waitUntil } from '@items/testing';
import { format } from 'prettier';
import { installFixture } from '../workspace/install-fixture.ts';
import { workspacePath } from '../workspace/root.ts';
import { markdownReport } from './report.ts';
import { services, type ForeignService } from './services.ts';

/*
 * `node tools/conformance/reports.ts [name …]`: judges services of other authors and writes the results to
 * docs/conformance. They are installed in tmp/, and run only on this machine.
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
  const { name, vendor, example = '' } = service;
  const folder = vendor === undefined ? compile(name, example) : await installFixture(`conformance/${vendor}`);
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

/** Compiles an example with the installed and built packages of the workspace. Run `npm run typecheck` first. */
function compile(name: string, example: string) {
  const folder = workspacePath('tmp/conformance', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(workspacePath(example), folder, { recursive: true });
  const compiler = workspacePath('node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${name} could not be compiled.`);
  return folder;
}
