import { type Check } from './check.js';
import { type CheckContext } from './context.js';
import { type Result } from './judgement.js';
import { curlOf } from './report/curl.js';
import { answerInShort } from './service/exchange.js';
import { NotApplicable, Unmet } from './verdict.js';

/** @param failure the premise that fails, on which the check hangs. */
export async function resultOf(check: Check, context: CheckContext, failure: string | undefined): Promise<Result> {
  const { id, section, source, sentence, level } = check;
  const told = { id, section, source, sentence, level };
  try {
    if (failure !== undefined) throw new NotApplicable(`${failure} fails, on which this hangs`);
    context.found.demand(check.needs);
    await check.run(context);
    return { ...told, status: 'passed' };
  } catch (error) {
    if (error instanceof NotApplicable) return { ...told, status: 'not_applicable', reason: error.message };
    if (!(error instanceof Unmet)) throw error;
    if (level === 'may') {
      const reason = `${answerInShort(error.exchange)}: the specification allows it`;
      return { ...told, status: 'not_applicable', reason: context.service.credentials.redact(reason) };
    }
    const redact = (text: string): string => context.service.credentials.redact(text);
    const curl = redact(curlOf(error.exchange.ask, context.service));
    return { ...told, status: 'failed', failure: { curl, expected: redact(error.expected), came: redact(error.came) } };
  }
}

/** The same result where the sentence is known to fail: that is no failure, but a pass is one until it leaves the list. */
export function asKnown(result: Result): Result {
  if (result.status === 'failed') return { ...result, status: 'known' };
  if (result.status !== 'passed') return result;
  return { ...result, status: 'fixed', reason: 'it passes, and stands on the list of known failures' };
}
