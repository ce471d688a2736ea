import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode, runNpm } from '../workspace/run.ts';

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
 * Creates a folder outside the workspace, like the project of a user.
 * @param {string} folder is emptied first.
 * @param {string} registry for our packages; all others come from npm's usual registry.
 */
export function createConsumer(folder, registry) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return consumerIn(folder, registry);
}

/**
 * Uses a folder that already contains the project of a user.
 * @param {string} folder outside the workspace. @param {string} registry for our packages.
 */
export function consumerIn(folder, registry) {
  writeFileSync(join(folder, '.npmrc'), `@items:registry=${registry}\n`);
  return {
    folder,
    /** @param {readonly string[]} specifiers `@items/paging`, `typeorm@1.1.1` */
    install: (specifiers) => npm(folder, ['install', ...specifiers, '--prefer-offline']),
    /** Runs a script of its package.json. @param {string} name @param {readonly string[]} args @returns the output. */
    runScript: (name, args) => npm(folder, ['run', name, '--', ...args]),
    /** Updates to the latest versions that package.json allows. */
    update: () => npm(folder, ['update']),
    /**
     * Runs a script of the folder, or writes it first if its text is given.
     * @param {string} file @param {string} [text] @param {Record<string, string>} [env] @param {readonly string[]} [args]
     * @returns {Promise<string>} the output.
     */
    run: async (file, text, env = {}, args = []) => {
      if (text !== undefined) writeFileSync(join(folder, file), text);
      const { ok, output } = await runNode([file, ...args], {
        ...{ output: 'collect', cwd: folder, limitMs: 300_000 },
        env: { NODE_NO_WARNINGS: '1', NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      });
      if (!ok) throw new Error(`node ${file}: ${output}`);
      return output;
    },
  };
}
