import './workspace/require-node.js';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureBuilt } from './workspace/build.js';
import { ensureDependencies } from './workspace/dependencies.js';
import { workspaceRoot } from './workspace/root.js';
import { wholeDocument } from './versions/served-document.js';

/*
 * `npm run tool -- release-version`: writes the API document of the current version to docs/openapi, where it must not
 * change after the release. `npm test` compares the served document with it. Before the release, `-- --again`
 * overwrites it.
 */
try {
  await ensureDependencies();
  await ensureBuilt();
  const document = JSON.parse(await wholeDocument());
  const { version } = document.info;
  const file = join(workspaceRoot, `docs/openapi/${version}.json`);
  if (existsSync(file) && !process.argv.includes('--again')) {
    throw new Error(
      `The document of ${version} is there already. Where that version is not released yet, add "-- --again"; ` +
        'else add a row to libs/dtos/src/contract/api-version.ts first: see libs/service/src/http/versions/README.md.',
    );
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(document, null, 1)}\n`);
  console.log(`Wrote ${file}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
