import { join } from 'node:path';
import { ownTool } from '../../workspace/own-tool.ts';
import { runNode } from '../../workspace/run.ts';

/*
 * `node tools/checks/own-tools/run.ts <tool> <script> [arguments]`: runs a script of a tool with its own lock file, in
 * the current folder.
 */
const [tool = '', script = '', ...args] = process.argv.slice(2);
try {
  const { ok } = await runNode([join(await ownTool(tool), script), ...args], { cwd: process.cwd() });
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
