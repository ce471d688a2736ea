import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';
import { createConsumer } from './consumer.js';

/**
 * A user's app that uses several packages.
 * @typedef {{ name: string, run: (folder: string, registry: string) => Promise<string[]> }} Trial
 */

/**
 * Copies an app to a folder outside the workspace, installs its dependencies, and uses it.
 * @param {string} name @param {string} source folder with the app and its package.json.
 * @param {(consumer: ReturnType<typeof createConsumer>) => Promise<void>} use throws if the app does not work.
 * @returns {Trial}
 */
export function trial(name, source, use) {
  return {
    name,
    run: async (folder, registry) => {
      const consumer = createConsumer(folder, registry);
      cpSync(join(workspaceRoot, source), folder, { recursive: true });
      try {
        await consumer.install([]);
        await use(consumer);
        return [];
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)];
      }
    },
  };
}
