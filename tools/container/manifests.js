import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '../workspace/root.js';

/** Where the manifests for Kubernetes stand. */
export const manifestFolder = join(workspaceRoot, 'deploy/kubernetes');

/**
 * One object of Kubernetes, and the file that it stands in.
 * @typedef {{ file: string, object: any }} Manifest
 */

/** All manifests. @returns {Manifest[]} */
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
