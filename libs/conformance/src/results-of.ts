import { type Check } from './check.js';
import { premisesFirst, premisesOf } from './checks/premises.js';
import { type CheckContext } from './context.js';
import { type Result } from './judgement.js';
import { asKnown, failed, resultOf } from './result-of.js';

export interface Plan {
  readonly checks: readonly Check[];
  /** Checks that report faults of any request, even if they were not selected. */
  readonly observers: readonly Check[];
  readonly known: ReadonlySet<string>;
  readonly onStep: (done: number, id: string) => void;
}

/** Each check runs after its premises. The results have the order of the profile. */
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
