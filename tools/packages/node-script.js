import assert from 'node:assert/strict';
import { startApp } from '@items/testing';
import { runNode } from '../workspace/run.ts';
import { trial } from './trial.js';

/** The expected list after all commands: red items cost 10 % less, and each item appears once. */
const LISTED = ['31.46  Red teapot (red)', '12.50  Blue mug (blue)', '11.25  Red mug (red)', '3.00  Saucer'];

/** Runs the script with the real service: imports a file twice, lowers prices, and lists the items. */
export const nodeScript = trial('examples/node-script', 'examples/node-script', async ({ folder }) => {
  const app = await startApp({ database: 'sqlite' });
  const shop = (/** @type {string[]} */ ...args) => {
    const env = { ITEMS_URL: app.baseUrl, ITEMS_KEY: app.adminKey };
    return runNode(['shop.js', ...args], { output: 'collect', cwd: folder, limitMs: 300_000, env });
  };
  try {
    const first = await shop('import', 'items.ndjson');
    assert.equal(first.ok, true, first.output);
    assert.deepEqual(await shop('import', 'items.ndjson'), first, 'a second import makes the same items');
    assert.match((await shop('sale', 'red', 'much')).output, /percent must be a number/);
    const sale = await shop('sale', 'red', '10');
    assert.equal(sale.output, 'Red mug: 12.5 → 11.25\nRed teapot: 34.95 → 31.46\n');
    assert.deepEqual((await shop('list')).output.trimEnd().split('\n'), LISTED);
    assert.match((await shop()).output, /ITEMS_URL and ITEMS_KEY/);
  } finally {
    await app.stop();
  }
});
