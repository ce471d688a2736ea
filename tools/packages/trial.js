import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { createConsumer } from './consumer.js';

/**
 * An app of somebody else that uses several packages.
 * @typedef {{ name: string, run: (folder: string, registry: string) => Promise<string[]> }} Trial
 */

/**
 * Copies an app to where nothing of the workspace is found, installs what it asks for, and uses it.
 * @param {string} name @param {string} source folder whose package.json says what is installed.
 * @param {(consumer: ReturnType<typeof createConsumer>) => Promise<void>} use throws where something is wrong.
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
