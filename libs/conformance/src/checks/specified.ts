import { type Check, type CheckContext, type Source } from '../check.js';
import { type Need } from '../discovery/findings.js';
import { type CheckRequest } from '../service/exchange.js';
import { expectStatus } from '../verdict.js';

/** A check without its id. The default level is `must`. */
export type Draft = Omit<Check, 'id' | 'section' | 'source' | 'level' | 'needs'> &
  Partial<Pick<Check, 'level' | 'needs'>>;
/** Drafts by the id of their check. */
export type Drafts = Readonly<Record<string, Draft>>;

/** @param needs Default for drafts without `needs`. */
type MakeChecks = (needs: readonly Need[], drafts: Drafts) => readonly Check[];

function checksFrom(source: Source): MakeChecks {
  return (needs, drafts) =>
    Object.entries(drafts).map(([id, draft]) => {
      const section = `§${id.slice(0, id.indexOf('.'))}`;
      return { level: 'must', needs, ...draft, id, section, source };
    });
}

export const specified = checksFrom('specification');
export const decided = checksFrom('decisions');
export const ofHttp = checksFrom('http');

type CheckRequests = CheckRequest | readonly CheckRequest[];

/** The check passes if each request returns the status. */
export function answers(
  status: number,
  sentence: string,
  requests: CheckRequests | ((context: CheckContext) => CheckRequests | Promise<CheckRequests>),
): Draft {
  return {
    sentence,
    run: async (context) => {
      const given = typeof requests === 'function' ? await requests(context) : requests;
      for (const request of [given].flat()) expectStatus(await context.service.send(request), status);
    },
  };
}

type MakeDraft<Subject> = (
  sentence: string,
  judge: (subject: Subject, context: CheckContext) => Promise<void>,
) => Draft;

/** Makes checks that first create their subject: an item, an order, a user. */
export function about<Subject>(
  needs: readonly Need[],
  create: (context: CheckContext) => Promise<Subject>,
): MakeDraft<Subject> {
  return (sentence, judge) => ({ sentence, needs, run: async (context) => judge(await create(context), context) });
}

export const ofItem = about(['items.write'], ({ items }) => items.create());
export const ofList = about([], ({ service }) => service.get('/items'));
