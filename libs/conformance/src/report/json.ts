import { type Judgement } from '../judgement.js';

/** The judgement as stable JSON: fields may be added, none is renamed or taken away. */
export function jsonReport(judgement: Judgement): string {
  const { url, profile, conformant, checks, notes } = judgement;
  return `${JSON.stringify({ url, profile, conformant, notes, checks }, undefined, 2)}\n`;
}
