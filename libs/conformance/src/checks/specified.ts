import { type Check } from '../check.js';

/**
 * A check without derived parts: its section is the start of its id, and its default level is
 * `must`.
 */
export type Draft = Omit<Check, 'section' | 'source' | 'level'> & Partial<Pick<Check, 'level'>>;

/** Makes checks of sentences of the specification. */
export function specified(drafts: readonly Draft[]): readonly Check[] {
  return drafts.map((draft) => ({ level: 'must', ...draft, section: sectionOf(draft), source: 'specification' }));
}

/** Makes checks of our decisions on points that the specification leaves open. */
export function decided(drafts: readonly Draft[]): readonly Check[] {
  return drafts.map((draft) => ({ level: 'must', ...draft, section: sectionOf(draft), source: 'decisions' }));
}

function sectionOf({ id }: Draft): string {
  return `§${id.slice(0, id.indexOf('.'))}`;
}
