import { type Check } from '../check.js';

/** The section is the start of the id, and the default level is `must`. */
export type Draft = Omit<Check, 'section' | 'source' | 'level'> & Partial<Pick<Check, 'level'>>;

export function specified(drafts: readonly Draft[]): readonly Check[] {
  return drafts.map((draft) => ({ level: 'must', ...draft, section: sectionOf(draft), source: 'specification' }));
}

/** Points that the specification leaves open are decided by us. */
export function decided(drafts: readonly Draft[]): readonly Check[] {
  return drafts.map((draft) => ({ level: 'must', ...draft, section: sectionOf(draft), source: 'decisions' }));
}

function sectionOf({ id }: Draft): string {
  return `§${id.slice(0, id.indexOf('.'))}`;
}
