import './workspace/require-node.js';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * `node tools/run.js SCRIPT …`: runs a script with the Node that the service needs, and downloads it if the current one
 * is older.
 */
process.argv.splice(1, 1);
process.argv[1] = resolve(process.argv[1] ?? '');
await import(pathToFileURL(process.argv[1]).href);
