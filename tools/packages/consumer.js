import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runNpm } from '../workspace/run.js';

const INSTALL_LIMIT_MS = 180_000;

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--no-package-lock'];

/** @param {string} cwd @param {readonly string[]} args */
async function npm(cwd, args) {
  const options = { output: /** @type {const} */ ('collect'), cwd, limitMs: INSTALL_LIMIT_MS };
  const { ok, output } = await runNpm([...QUIET, ...args], options);
  if (!ok) throw new Error(`npm ${args.join(' ')}: ${output}`);
  return output;
}

/**
 * A folder outside the workspace, as somebody else's project is.
 * @param {string} folder what is in it goes.
 * @param {string} registry of our packages; all others come from where npm always gets them.
 */
export function createConsumer(folder, registry) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return consumerIn(folder, registry);
}

/**
 * A folder that is somebody's project already.
 * @param {string} folder outside the workspace. @param {string} registry of our packages.
 */
export function consumerIn(folder, registry) {
  writeFileSync(join(folder, '.npmrc'), `@items:registry=${registry}\n`);
  return {
    folder,
    /** @param {readonly string[]} specifiers `@items/paging`, `typeorm@1.1.1` */
    install: (specifiers) => npm(folder, ['install', ...specifiers, '--prefer-offline']),
    /** Runs a script of its package.json. @param {string} name @param {readonly string[]} args @returns what is printed. */
    runScript: (name, args) => npm(folder, ['run', name, '--', ...args]),
    /** To the latest releases that package.json allows. */
    update: () => npm(folder, ['update']),
    /**
     * Runs a script that lies in the folder, or is made there from its text.
     * @param {string} file @param {string} [text] @param {Record<string, string>} [env] @param {readonly string[]} [args]
     * @returns {Promise<string>} what it prints.
     */
    run: async (file, text, env = {}, args = []) => {
      if (text !== undefined) writeFileSync(join(folder, file), text);
      const { ok, output } = await runNode([file, ...args], {
        ...{ output: 'collect', cwd: folder, limitMs: 60_000 },
        env: { NODE_NO_WARNINGS: '1', NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      });
      if (!ok) throw new Error(`node ${file}: ${output}`);
      return output;
    },
  };
}
