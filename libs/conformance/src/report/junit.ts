import { type Judgement, type Result } from '../judgement.js';
import { escapeMarkup } from './escape.js';
import { countOf, type Section, sectionsOf } from './sections.js';

export function junitReport(judgement: Judgement): string {
  const suites = sectionsOf(judgement).map(suite).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance ${judgement.profile}">\n${suites}</testsuites>\n`;
}

function suite({ name, title, checks }: Section): string {
  const count = (status: Result['status']): number => countOf(checks, status);
  const numbers = `tests="${checks.length}" failures="${count('failed') + count('fixed')}" skipped="${count('not_applicable') + count('known')}"`;
  const label = escapeMarkup(`${name} ${title}`);
  return `  <testsuite name="${label}" ${numbers}>\n${checks.map(testCase).join('')}  </testsuite>\n`;
}

function testCase({ id, sentence, status, reason = '', failure, level }: Result): string {
  const open = `    <testcase classname="${escapeMarkup(id)}" name="${escapeMarkup(sentence)}"`;
  if (status === 'passed') return `${open}/>\n`;
  if (status === 'not_applicable') return `${open}><skipped message="${escapeMarkup(reason)}"/></testcase>\n`;
  const { curl = '', expected = '', came = '' } = failure ?? {};
  if (status === 'known') {
    const known = escapeMarkup(`known: expected ${expected}; came ${came}`);
    return `${open}><skipped message="${known}"/></testcase>\n`;
  }
  if (status === 'fixed') {
    return `${open}><failure type="fixed" message="${escapeMarkup(reason)}"></failure></testcase>\n`;
  }
  const message = escapeMarkup(`expected ${expected}; came ${came}`);
  return `${open}><failure type="${level}" message="${message}">${escapeMarkup(curl)}</failure></testcase>\n`;
}
