import { type Check, type CheckContext } from './check.js';
import { premisesFirst, premisesOf } from './checks/premises.js';
import type { Result } from './judgement.js';
import { curlParts } from './report/curl.js';
import { answerInShort } from './service/exchange.js';
import { NotApplicable, Unmet } from './verdict.js';

export interface Plan {
  readonly checks: readonly Check[];
  /** Checks that report a fault in the response to any request. `--only` does not exclude them, but `--skip` does. */
  readonly observers: readonly Check[];
  readonly known: ReadonlySet<string>;
  readonly onStep: (done: number, id: string) => void;
}

/**
 * Runs each check after its premises. Returns the results in the order of `checks`, then the faults that other
 * observers found.
 */
export async function resultsOf({ checks, observers, known, onStep }: Plan, context: CheckContext): Promise<Result[]> {
  const results = new Map<string, Result>();
  const failures = new Map<string, string>();
  for (const check of premisesFirst(checks)) {
    onStep(results.size, check.id);
    const failure = premisesOf(check).flatMap((id) => failures.get(id) ?? [])[0];
    const result = await resultOf(check, context, failure);
    if (result.status === 'failed') failures.set(check.id, check.id);
    else if (failure !== undefined) failures.set(check.id, failure);
    results.set(check.id, result);
  }
  for (const check of observers) {
    const unmet = check.observed?.(context);
    if (unmet !== undefined) results.set(check.id, failed(check, context, unmet));
  }
  return [...checks, ...observers.filter((one) => !checks.includes(one))]
    .flatMap(({ id }) => results.get(id) ?? [])
    .map((result) => (known.has(result.id) ? asKnown(result) : result));
}

/** @param failure Id of the failed premise of the check. */
export async function resultOf(check: Check, context: CheckContext, failure: string | undefined): Promise<Result> {
  const droppedBefore = context.service.dropped.length;
  try {
    if (failure !== undefined) throw new NotApplicable(`${failure} fails, on which this check depends`);
    context.found.demand(check.needs);
    await check.run(context);
    return { ...headOf(check, context), status: 'passed' };
  } catch (error) {
    if (error instanceof NotApplicable) return notApplicable(check, context, error.message);
    if (!(error instanceof Unmet)) throw error;
    if (error.exchange.status === 0 || context.service.dropped.length > droppedBefore) {
      return notApplicable(check, context, '7.response.sent fails, on which this check depends');
    }
    if (check.level !== 'may') return failed(check, context, error);
    return notApplicable(check, context, `${answerInShort(error.exchange)}: the seed specification allows it`);
  }
}

export function failed(check: Check, context: CheckContext, { exchange, expected, actual }: Unmet): Result {
  const { service } = context;
  const { translation } = service;
  const redact = (text: string): string => service.credentials.redact(text);
  const parts = curlParts(exchange.request, service).map(redact);
  const failure = {
    method: exchange.request.method ?? 'GET',
    url: redact(service.urlOf(exchange.request)),
    curl: parts.join(' '),
    parts,
    expected: redact(translation.sentence(expected)),
    // A quoted response already has the names of the service.
    came: redact(actual === answerInShort(exchange) ? actual : translation.sentence(actual)),
  };
  return { ...headOf(check, context), status: 'failed', failure };
}

function notApplicable(check: Check, context: CheckContext, reason: string): Result {
  return { ...headOf(check, context), status: 'not_applicable', reason: context.service.credentials.redact(reason) };
}

function headOf({ id, section, source, sentence, level }: Check, { service }: CheckContext): Omit<Result, 'status'> {
  return { id, section, source, sentence: service.translation.sentence(sentence), level };
}

function asKnown(result: Result): Result {
  if (result.status === 'failed') return { ...result, status: 'known' };
  if (result.status !== 'passed') return result;
  return { ...result, status: 'fixed', reason: 'it passes, but is on the list of known failures' };
}
