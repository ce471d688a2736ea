import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';

const UNRELEASED = '## Unreleased';

const file = join(workspaceRoot, 'CHANGELOG.md');

/**
 * Writes the changelog with "Unreleased" turned into this version.
 * @param to target file.
 */
export function releaseChangelog(version: string, to = file): void {
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(to, releasedChangelog(readFileSync(file, 'utf8'), version, day));
}

/** @throws {Error} if "Unreleased" is empty. */
export function requireChanges(): void {
  releasedChangelog(readFileSync(file, 'utf8'), 'next', '');
}

/** @throws {Error} if "Unreleased" is empty. */
export function releasedChangelog(text: string, version: string, day: string): string {
  const [before = '', after = ''] = text.split(`${UNRELEASED}\n`);
  const changes = after.split('\n## ')[0]?.trim() ?? '';
  if (changes === '')
    throw new Error(`CHANGELOG.md has nothing under "${UNRELEASED}": write what has changed there first.`);
  return `${before}${UNRELEASED}\n\n## ${version} (${day})\n${after}`;
}
