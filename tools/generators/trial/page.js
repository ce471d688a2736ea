import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleCommands } from '../../readme/console-blocks.ts';
import { workspaceRoot } from '../../workspace/root.ts';

/**
 * Reads the commands of docs/add-a-collection.md, with another name for the collection, because readers of the page
 * may already have `widgets`.
 * @returns {{ command: string, output: string }[]}
 */
export function pageCommands() {
  const page = readFileSync(join(workspaceRoot, 'docs/add-a-collection.md'), 'utf8');
  return consoleCommands(page.replaceAll('widget', 'sprocket'));
}
