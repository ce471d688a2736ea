import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '../workspace/root.js';

export const manifestFolder = join(workspaceRoot, 'deploy/kubernetes');

/**
 * An object of Kubernetes, and its file.
 * @typedef {{ file: string, object: any }} Manifest
 */

/** @returns {Manifest[]} */
export function manifests() {
  return readdirSync(manifestFolder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(manifestFolder, file), 'utf8')).map((document) => ({
        file,
        object: document.toJS(),
      })),
    );
}
