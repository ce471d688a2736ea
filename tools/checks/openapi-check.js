import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { servedDocument } from '../versions/served-document.js';
import { failedOnce, passedOnce } from './outcome.js';

const file = join(workspaceRoot, 'tmp/openapi.json');
const spectral = 'node_modules/@stoplight/spectral-cli/dist/index.js';
const options = ['--ruleset', '.spectral.yaml', '--fail-severity', 'error', '--display-only-failures'];

/**
 * Asks the built service for its OpenAPI document, as it would be in production, and holds it against the rules.
 * @type {import('./outcome.js').Check}
 */
export const openApiCheck = {
  name: 'openapi',
  title: 'OpenAPI rules (spectral, OWASP)',
  mayRunBeside: true,
  run: async () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await servedDocument());
    const { ok, output } = await runNode([spectral, 'lint', file, ...options], { output: 'collect' });
    if (ok) return passedOnce;
    console.error(output.trimEnd());
    return failedOnce;
  },
};
