import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import istanbul, { type CoverageMap } from 'istanbul-lib-coverage';
import report from 'istanbul-lib-report';
import reports from 'istanbul-reports';
import { skippedOnce, type Check } from '../checks/outcome.ts';
import { workspaceRoot } from '../workspace/root.ts';
import { coverageFolder, jestCoverage } from './folders.ts';
import { serviceCoverage } from './service-coverage.ts';

/** Minimum percentage of covered lines in apps/api and libs. */
const requiredLines = 90;

export const coverageCheck: Check = {
  name: 'coverage',
  title: `Coverage (lines ≥ ${requiredLines} %)`,
  isPart: true,
  run: async () => {
    if (!existsSync(join(jestCoverage, 'unit'))) return skippedOnce('the unit tests did not run');
    const map = istanbul.createCoverageMap();
    for (const check of readdirSync(jestCoverage)) {
      const file = join(jestCoverage, check, 'coverage-final.json');
      // A check that was interrupted has no file, and has already been counted as failed.
      if (existsSync(file)) map.merge(JSON.parse(readFileSync(file, 'utf8')));
    }
    map.merge(await serviceCoverage());
    map.filter((file) => hasCode(file));
    const context = report.createContext({ dir: coverageFolder, coverageMap: map });
    for (const kind of ['html', 'lcovonly'] as const) reports.create(kind).execute(context);
    const { pct } = map.getCoverageSummary().lines;
    for (const file of leastCovered(map)) console.log(`  ${file}`);
    console.log(`  lines: ${pct} % of unit, integration and end to end tests together (coverage/index.html)`);
    const enough = pct >= requiredLines;
    return { passed: enough ? 1 : 0, failed: enough ? 0 : 1, skipped: 0, notes: [`${pct} % of lines`] };
  },
};

/** Skips files that contain only types: they compile to no code, and V8 would count their lines as uncovered. */
function hasCode(source: string) {
  const built = source.replace(/\/src\/(.*)\.ts$/, '/dist/$1.js');
  if (!existsSync(built)) return true;
  return (
    readFileSync(built, 'utf8')
      .replace(/^\/\/#.*$|^export \{\};$|^import '.*';$/gm, '')
      .trim() !== ''
  );
}

/** Returns the files below the minimum, worst first. */
function leastCovered(map: CoverageMap) {
  return map
    .files()
    .map((file) => ({ file: relative(workspaceRoot, file), lines: map.fileCoverageFor(file).toSummary().lines.pct }))
    .filter(({ lines }) => lines < requiredLines)
    .sort((a, b) => a.lines - b.lines)
    .map(({ file, lines }) => `${lines.toFixed(1).padStart(5)} %  ${file}`);
}
