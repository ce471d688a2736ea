import { type Check, type Source } from '../check.js';
import { type Need } from '../discovery/findings.js';

/** The default level is `must`. */
export type Draft = Omit<Check, 'id' | 'section' | 'source' | 'level' | 'needs'> &
  Partial<Pick<Check, 'level' | 'needs'>>;
/** By id. */
export type Drafts = Readonly<Record<string, Draft>>;

/** @param needs Default of the drafts. */
type MakeChecks = (needs: readonly Need[], drafts: Drafts) => readonly Check[];

function checksFrom(source: Source): MakeChecks {
  return (needs, drafts) =>
    Object.entries(drafts).map(([id, draft]) => {
      const section = `§${id.slice(0, id.indexOf('.'))}`;
      return { level: 'must', needs, ...draft, id, section, source };
    });
}

export const specified = checksFrom('specification');
/** Points that the specification leaves open are decided by us. */
export const decided = checksFrom('decisions');
export const ofHttp = checksFrom('http');
