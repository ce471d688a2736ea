import { type Check } from '../check.js';

/** A check as it is written down: its id begins with its section, and most sentences are a must. */
export type Draft = Omit<Check, 'section' | 'source' | 'level'> & Partial<Pick<Check, 'level'>>;

/** Checks of sentences that stand in the specification itself. */
export function specified(drafts: readonly Draft[]): readonly Check[] {
  return drafts.map((draft) => ({ level: 'must', ...draft, section: sectionOf(draft), source: 'specification' }));
}

/** Checks of what is decided where the specification leaves a point open. */
export function decided(drafts: readonly Draft[]): readonly Check[] {
  return drafts.map((draft) => ({ level: 'must', ...draft, section: sectionOf(draft), source: 'decisions' }));
}

function sectionOf({ id }: Draft): string {
  return `§${id.slice(0, id.indexOf('.'))}`;
}
