/*
 * `node tools/run.js SCRIPT …`: runs a script with this Node if it can read TypeScript (22.18 or newer), or else with
 * Node 24, which is downloaded once. This file contains only old syntax, so that an old Node prints the message below
 * instead of a syntax error.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `This project needs Node 22.18 or newer; Node 20.19 or newer can download it. This is ${process.versions.node}.`,
  );
  process.exit(1);
}
if (!process.features.typescript) {
  const { fetchedNode } = await import('./workspace/fetched-node.js');
  const { restartWithNode } = await import('./workspace/restart-with-node.js');
  await restartWithNode(await fetchedNode());
}
process.argv.splice(1, 1);
process.argv[1] = resolve(process.argv[1] ?? '');
await import(pathToFileURL(process.argv[1]).href);
