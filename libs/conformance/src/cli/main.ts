import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { type Judgement } from '../judgement.js';
import { judge } from '../run.js';
import { githubLines, githubSummary } from '../report/github.js';
import { htmlReport } from '../report/html.js';
import { jsonReport } from '../report/json.js';
import { junitReport } from '../report/junit.js';
import { sarifReport } from '../report/sarif.js';
import { summaryLine } from '../report/sections.js';
import { textReport } from '../report/text.js';
import { CannotJudge } from '../verdict.js';
import { type Arguments, type FileReport, fileReports, parseArguments } from './arguments.js';
import { help } from './help.js';
import { showProgress, type Terminal } from './progress.js';

export async function main(words: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  try {
    const asked = parseArguments(words);
    if (asked === 'help' || asked === 'version') {
      terminal.out(asked === 'help' ? help : `${version()}\n`);
      return 0;
    }
    const { step: onProgress, wait: onWait, end } = showProgress(terminal, asked.url);
    const judgement = await judge({ ...asked, signal: terminal.signal, onProgress, onWait }).finally(end);
    writeReports(judgement, asked.files);
    terminal.out(
      asked.isSummary ? `${summaryLine(judgement)}\n` : textReport(judgement, { columns: terminal.columns }),
    );
    if (asked.isGithub) reportToGithub(judgement, terminal);
    return judgement.conformant ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CannotJudge)) throw error;
    terminal.err(`${error.message}\n`);
    return 2;
  }
}

function reportToGithub(judgement: Judgement, { out, stepSummary }: Terminal): void {
  out(githubLines(judgement));
  if (stepSummary !== undefined) appendFileSync(stepSummary, githubSummary(judgement));
}

const writers: Readonly<Record<FileReport, (judgement: Judgement) => string>> = {
  junit: junitReport,
  json: jsonReport,
  html: htmlReport,
  sarif: (judgement) => sarifReport(judgement, version()),
};

function writeReports(judgement: Judgement, files: Arguments['files']): void {
  for (const name of fileReports) {
    const file = files[name];
    if (file === undefined) continue;
    try {
      writeFileSync(file, writers[name](judgement));
    } catch (error) {
      throw new CannotJudge(`The report could not be written: ${error instanceof Error ? error.message : ''}`);
    }
  }
}

function version(): string {
  const { version: number } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return number;
}
