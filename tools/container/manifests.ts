import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { workspacePath } from '../workspace/root.ts';

export const manifestFolder = workspacePath('deploy/kubernetes');

export interface Manifest {
  file: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any kind of object
  object: any;
}

export function manifests(): Manifest[] {
  return readdirSync(manifestFolder)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(manifestFolder, file), 'utf8')).map((document) => ({
        file,
        object: document.toJS(),
      })),
    );
}
