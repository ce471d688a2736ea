import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownTool } from '../workspace/own-tool.ts';
import { workspacePath } from '../workspace/root.ts';
import { runNode } from '../workspace/run.ts';
import { servedDocument, wholeDocument } from '../versions/served-document.ts';
import { failedOnce, passedOnce, type Check } from './outcome.ts';

const folder = workspacePath('tmp');

/**
 * Lints the OpenAPI documents of the built service in production mode: the whole document with all rules, and the
 * short, served document only with the rules of OpenAPI.
 */
export const openApiCheck: Check = {
  name: 'openapi',
  title: 'OpenAPI rules (spectral, OWASP)',
  mayRunConcurrently: true,
  run: async () => {
    mkdirSync(folder, { recursive: true });
    const whole = await lint('openapi.json', await wholeDocument(), '.spectral.yaml');
    const served = await lint('openapi-served.json', await servedDocument(), '.spectral.served.yaml');
    return whole && served ? passedOnce : failedOnce;
  },
};

async function lint(name: string, document: string, rules: string): Promise<boolean> {
  const file = join(folder, name);
  writeFileSync(file, document);
  const options = ['--ruleset', rules, '--fail-severity', 'error', '--display-only-failures'];
  const spectral = join(await ownTool('spectral'), '@stoplight/spectral-cli/dist/index.js');
  const { ok, output } = await runNode([spectral, 'lint', file, ...options], { output: 'collect' });
  if (!ok) console.error(output.trimEnd());
  return ok;
}
