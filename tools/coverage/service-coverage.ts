import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeProcessCovs, type ProcessCov } from '@bcoe/v8-coverage';
import istanbul from 'istanbul-lib-coverage';
import v8ToIstanbul from 'v8-to-istanbul';
import { rawCoverage } from './folders.ts';

/** Computes the coverage of the sources by black box tests, from the files of all service processes. */
export async function serviceCoverage() {
  const map = istanbul.createCoverageMap();
  if (!existsSync(rawCoverage)) return map;
  const processes = readdirSync(rawCoverage).flatMap((file) => readProcess(join(rawCoverage, file)));
  for (const script of mergeProcessCovs(processes).result) {
    const converter = v8ToIstanbul(fileURLToPath(script.url));
    await converter.load();
    converter.applyCoverage(script.functions);
    map.merge(converter.toIstanbul());
  }
  return map;
}

/** Ignores the partial file of a process that was killed while writing. */
function readProcess(file: string) {
  try {
    return [JSON.parse(readFileSync(file, 'utf8')) as ProcessCov];
  } catch {
    return [];
  }
}
