import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleCommands } from '../../readme/console-blocks.js';
import { workspaceRoot } from '../../workspace/root.js';

/**
 * The commands of docs/add-a-collection.md, about a collection of another name: who follows the page has `widgets`.
 * @returns {{ command: string, output: string }[]}
 */
export function pageCommands() {
  const page = readFileSync(join(workspaceRoot, 'docs/add-a-collection.md'), 'utf8');
  return consoleCommands(page.replaceAll('widget', 'sprocket'));
}
