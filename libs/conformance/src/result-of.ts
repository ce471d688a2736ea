import { type Check } from './check.js';
import { type CheckContext } from './context.js';
import { type Result } from './judgement.js';
import { curlParts } from './report/curl.js';
import { answerInShort } from './service/exchange.js';
import { NotApplicable, Unmet } from './verdict.js';

/** @param failure the failed premise of the check. */
export async function resultOf(check: Check, context: CheckContext, failure: string | undefined): Promise<Result> {
  const droppedBefore = context.service.dropped.length;
  try {
    if (failure !== undefined) throw new NotApplicable(`${failure} fails, on which this hangs`);
    context.found.demand(check.needs);
    await check.run(context);
    return { ...headOf(check, context), status: 'passed' };
  } catch (error) {
    if (error instanceof NotApplicable) return notApplicable(check, context, error.message);
    if (!(error instanceof Unmet)) throw error;
    if (error.exchange.status === 0 || context.service.dropped.length > droppedBefore) {
      return notApplicable(check, context, '7.response.sent fails, on which this hangs');
    }
    if (check.level !== 'may') return failed(check, context, error);
    return notApplicable(check, context, `${answerInShort(error.exchange)}: the specification allows it`);
  }
}

export function failed(check: Check, context: CheckContext, { exchange, expected, came }: Unmet): Result {
  const { service } = context;
  const { words } = service;
  const redact = (text: string): string => service.credentials.redact(text);
  const parts = curlParts(exchange.ask, service).map(redact);
  const failure = {
    method: exchange.ask.method ?? 'GET',
    url: redact(service.urlOf(exchange.ask)),
    curl: parts.join(' '),
    parts,
    expected: redact(words.sentence(expected)),
    // A quoted response keeps its own names.
    came: redact(came === answerInShort(exchange) ? came : words.sentence(came)),
  };
  return { ...headOf(check, context), status: 'failed', failure };
}

function notApplicable(check: Check, context: CheckContext, reason: string): Result {
  return { ...headOf(check, context), status: 'not_applicable', reason: context.service.credentials.redact(reason) };
}

function headOf({ id, section, source, sentence, level }: Check, { service }: CheckContext): Omit<Result, 'status'> {
  return { id, section, source, sentence: service.words.sentence(sentence), level };
}

/** A failure on the list of known failures becomes `known`, a pass becomes `fixed`. */
export function asKnown(result: Result): Result {
  if (result.status === 'failed') return { ...result, status: 'known' };
  if (result.status !== 'passed') return result;
  return { ...result, status: 'fixed', reason: 'it passes, and stands on the list of known failures' };
}
