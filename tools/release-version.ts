import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { workspacePath } from './workspace/root.ts';
import { wholeDocument } from './versions/served-document.ts';

/*
 * `npm run tool -- release-version`: writes the API document of the current version to docs/openapi, where it must not
 * change after the release. `npm test` compares the served document with it. Before the release, `-- --again`
 * overwrites it.
 */
const document = JSON.parse(await wholeDocument());
const { version } = document.info;
const file = workspacePath(`docs/openapi/${version}.json`);
if (existsSync(file) && !process.argv.includes('--again')) {
  throw new Error(
    `The document of ${version} already exists. If that version is not released yet, add "-- --again"; ` +
      'else add a row to libs/dtos/src/contract/api-version.ts first: see libs/service/src/http/versions/README.md.',
  );
}
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(document, null, 1)}\n`);
console.log(`Wrote ${file}`);
