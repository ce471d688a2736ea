import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownTool } from '../workspace/own-tool.js';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { servedDocument, wholeDocument } from '../versions/served-document.js';
import { failedOnce, passedOnce } from './outcome.js';

const folder = join(workspaceRoot, 'tmp');

/**
 * Lints the OpenAPI document of the built service in production mode: the whole document with all rules, and the short
 * one that is served with the rules of OpenAPI itself.
 * @type {import('./outcome.js').Check}
 */
export const openApiCheck = {
  name: 'openapi',
  title: 'OpenAPI rules (spectral, OWASP)',
  mayRunBeside: true,
  run: async () => {
    mkdirSync(folder, { recursive: true });
    const whole = await lint('openapi.json', await wholeDocument(), '.spectral.yaml');
    const served = await lint('openapi-served.json', await servedDocument(), '.spectral.served.yaml');
    return whole && served ? passedOnce : failedOnce;
  },
};

/** @param {string} name @param {string} document @param {string} rules @returns {Promise<boolean>} */
async function lint(name, document, rules) {
  const file = join(folder, name);
  writeFileSync(file, document);
  const options = ['--ruleset', rules, '--fail-severity', 'error', '--display-only-failures'];
  const spectral = join(await ownTool('spectral'), '@stoplight/spectral-cli/dist/index.js');
  const { ok, output } = await runNode([spectral, 'lint', file, ...options], { output: 'collect' });
  if (!ok) console.error(output.trimEnd());
  return ok;
}
