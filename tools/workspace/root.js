import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The workspace's folder, wherever a command is started from. */
export const workspaceRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
