import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { workspaceRoot } from '@items/tools/workspace/root.ts';
import { runNode, runNpm } from '@items/tools/workspace/run.ts';

import { published } from './published.js';

const INSTALL_LIMIT_MS = 180_000;

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--no-package-lock'];

/** A user's project, outside the workspace. */
export interface Consumer {
  readonly folder: string;
  /** Installs `@items/paging`, `typeorm@1.1.1` …; without specifiers, the packages in its package.json. */
  install(...specifiers: string[]): Promise<string>;
  /** Updates to the latest versions that package.json allows. */
  update(): Promise<string>;
  /** Runs a script of its package.json. @returns the output. */
  runScript(name: string, ...args: string[]): Promise<string>;
  /** Runs a file of the folder with Node. @returns the output. @throws {Error} if it fails, with its output. */
  run(file: string, options?: { readonly env?: Record<string, string>; readonly args?: string[] }): Promise<string>;
  /** Writes a file, and runs it with Node. @returns the output. */
  runText(file: string, text: string, ...args: string[]): Promise<string>;
}

/** Creates an empty project. @param registry for our packages; other packages come from npm's usual registry. */
export function createConsumer(registry = published.registry): Consumer {
  const folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return consumerIn(folder, registry);
}

/** Copies an app of the workspace, and installs its dependencies. */
export async function installedCopy(source: string): Promise<Consumer> {
  const folder = newFolder();
  cpSync(join(workspaceRoot, source), folder, { recursive: true });
  const consumer = consumerIn(folder);
  await consumer.install();
  return consumer;
}

/** Creates a folder outside the workspace, so that no package is found in its node_modules. */
export function newFolder(): string {
  const parent = join(published.folder, 'consumers');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'consumer-'));
}

/** Uses a folder that already contains a user's project. */
export function consumerIn(folder: string, registry = published.registry): Consumer {
  writeFileSync(join(folder, '.npmrc'), `@items:registry=${registry}\n`);
  const npm = async (...args: string[]): Promise<string> => {
    const { ok, output } = await runNpm([...QUIET, ...args], {
      output: 'collect',
      cwd: folder,
      limitMs: INSTALL_LIMIT_MS,
    });
    if (!ok) throw new Error(`npm ${args.join(' ')}: ${output}`);
    return output;
  };
  const run: Consumer['run'] = async (file, { env = {}, args = [] } = {}) => {
    const { ok, output } = await runNode([file, ...args], {
      ...{ output: 'collect', cwd: folder, limitMs: 300_000 },
      env: { NODE_NO_WARNINGS: '1', NO_COLOR: '1', FORCE_COLOR: '0', ...env },
    });
    if (!ok) throw new Error(`node ${file}: ${output}`);
    return output;
  };
  return {
    folder,
    install: (...specifiers) => npm('install', ...specifiers, '--prefer-offline'),
    update: () => npm('update'),
    runScript: (name, ...args) => npm('run', name, '--', ...args),
    run,
    runText: (file, text, ...args) => {
      writeFileSync(join(folder, file), text);
      return run(file, { args });
    },
  };
}
