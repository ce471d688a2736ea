import { type Judgement } from '../judgement.js';
import { summaryLine } from './sections.js';

/** The JSON is stable: fields may be added, but not renamed or removed. */
export function jsonReport(judgement: Judgement): string {
  const { url, profile, conformant, paging, checks, notes } = judgement;
  const shown = checks.map(({ failure, ...check }) => {
    if (failure === undefined) return check;
    const { parts: _, ...rest } = failure;
    return { ...check, failure: rest };
  });
  const summary = summaryLine(judgement);
  return `${JSON.stringify({ url, profile, conformant, summary, paging, notes, checks: shown }, undefined, 2)}\n`;
}
