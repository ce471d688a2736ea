import { join } from 'node:path';
import { ownTool } from '../../workspace/own-tool.ts';
import { runInCopy } from './copy-commands.js';

/**
 * Runs the checks of `npm test` that generated collections could fail.
 * @param {string} root
 * @param {readonly string[]} written paths of the generated files.
 * @param {Record<string, string>} servers environment with the addresses of the test servers.
 * @throws {Error} if a check fails. The message contains its output.
 */
export async function hold(root, written, servers) {
  const jest = 'node_modules/jest/bin/jest.js';
  const unit = ['app.module.spec'];
  await runInCopy(root, ['node_modules/prettier/bin/prettier.cjs', '--check', ...written]);
  await runInCopy(root, ['node_modules/typescript-7/bin/tsc', '-b']);
  await runInCopy(root, ['node_modules/nx/dist/bin/nx.js', 'sync:check']);
  await runInCopy(root, ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...written]);
  const cruise = join(await ownTool('dependency-cruiser'), 'dependency-cruiser/bin/dependency-cruise.mjs');
  await runInCopy(root, [cruise, 'apps/api/src', 'libs']);
  await runInCopy(root, [jest, '--selectProjects', 'api', '--', ...unit], servers);
  const generated = ['-c', 'apps/api-e2e/jest.config.js', 'collections/(sprockets|trial-[a-z]+).spec'];
  await runInCopy(root, [jest, ...generated], servers);
}
