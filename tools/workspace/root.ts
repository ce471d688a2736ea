import { join } from 'node:path';

/** The workspace's folder, independent of the current directory. */
export const workspaceRoot = join(import.meta.dirname, '../..');

export const workspacePath = (...parts: string[]): string => join(workspaceRoot, ...parts);
