import { join } from 'node:path';
import { ownTool } from '../../workspace/own-tool.js';
import { runInCopy } from './copy-commands.js';

/**
 * Holds a workspace with generated collections against the checks of `npm test` that they could fail.
 * @param {string} root
 * @param {readonly string[]} written what the generator has written.
 * @param {Record<string, string>} servers the environment that names the servers of the tests.
 * @throws {Error} with all that the check printed.
 */
export async function hold(root, written, servers) {
  const jest = 'node_modules/jest/bin/jest.js';
  const unit = ['routes.spec', 'served-document.spec', 'event-readers.spec', 'migrations.spec', 'columns.spec'];
  await runInCopy(root, ['node_modules/prettier/bin/prettier.cjs', '--check', ...written]);
  await runInCopy(root, ['node_modules/typescript-7/bin/tsc', '-b']);
  await runInCopy(root, ['node_modules/nx/dist/bin/nx.js', 'sync:check']);
  await runInCopy(root, ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...written]);
  const cruise = join(await ownTool('dependency-cruiser'), 'dependency-cruiser/bin/dependency-cruise.mjs');
  await runInCopy(root, [cruise, 'apps/api/src', 'libs']);
  await runInCopy(root, [jest, '--selectProjects', 'api', '--', ...unit], servers);
  const generated = ['-c', 'apps/api-e2e/jest.config.js', 'collections/(sprockets|trial-notes|trial-labels).spec'];
  await runInCopy(root, [jest, ...generated], servers);
}
