import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workspace's folder, independent of the current directory. */
export const workspaceRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
