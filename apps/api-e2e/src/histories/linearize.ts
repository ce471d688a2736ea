/**
 * One operation on a member. The state of a member is its value, or undefined while the member does not exist. Each
 * write has a unique value.
 */
export interface Operation {
  readonly kind: 'create' | 'replace' | 'delete' | 'read';
  /** Written, or read; absent if a read found nothing. */
  readonly value?: string;
  /** Value that `If-Match` named. */
  readonly expected?: string;
  begun: number;
  /** Infinity while there is no response. */
  ended: number;
  /**
   * `absent`: 404. `mismatch`: 412. `refused`: 503, which may have had its effect before the response, but never after
   * it. `unknown`: no response; its effect may come at any time.
   */
  outcome: 'done' | 'absent' | 'mismatch' | 'refused' | 'unknown';
}

/** A total of a list, and the times of its request. */
export interface Total {
  readonly total: number;
  readonly begun: number;
  readonly ended: number;
}

/** The state of a member in one response to a client. */
export interface Seen {
  /** `updated_at`; absent if the member is gone. */
  readonly at?: string;
  readonly isGone: boolean;
}

type State = string | undefined;

const ABSENT = undefined;
const IMPOSSIBLE = Symbol('impossible');

/** Returns the next state. An unknown or refused operation that would change nothing need not be applied. */
function apply(state: State, { kind, value, expected, outcome }: Operation): State | typeof IMPOSSIBLE {
  if (kind === 'read') return state === value ? state : IMPOSSIBLE;
  if (kind === 'create') return state === ABSENT ? value : IMPOSSIBLE;
  if (outcome === 'absent') return state === ABSENT ? state : IMPOSSIBLE;
  if (state === ABSENT) return IMPOSSIBLE;
  const matches = expected === undefined || state === expected;
  if (outcome === 'mismatch') return matches ? IMPOSSIBLE : state;
  if (!matches) return IMPOSSIBLE;
  return kind === 'delete' ? ABSENT : value;
}

/**
 * Removes uncertain writes whose value no client has read or named in `If-Match`, because each would double the work.
 * An order with such a write is also possible without it, unless the write explains a 412.
 */
function withoutUnseen(operations: readonly Operation[]): Operation[] {
  if (operations.some(({ outcome }) => outcome === 'mismatch')) return [...operations];
  const seen = new Set(
    operations.flatMap(({ kind, value, expected }) => [kind === 'read' ? value : undefined, expected]),
  );
  return operations.filter(
    ({ kind, outcome, value }) => kind !== 'replace' || outcome === 'done' || outcome === 'absent' || seen.has(value),
  );
}

/**
 * Searches an order of the operations on one member that respects their times and explains each outcome (the algorithm
 * of Wing and Gong, with the cache of Lowe).
 */
export function isLinearizable(operations: readonly Operation[]): boolean {
  const sorted = withoutUnseen(operations).sort((a, b) => a.begun - b.begun);
  const isRequired = sorted.map(({ outcome }) => outcome !== 'unknown' && outcome !== 'refused');
  const all = isRequired.reduce((set, required, n) => (required ? set | (1n << BigInt(n)) : set), 0n);
  const seen = new Set<string>();
  const stack: { done: bigint; state: State; latest: number }[] = [{ done: 0n, state: ABSENT, latest: -Infinity }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { done, state, latest } = top;
    if ((done & all) === all) return true;
    // No operation that began after the end of a required operation may precede it.
    let limit = Infinity;
    for (const [n, { ended }] of sorted.entries())
      if (isRequired[n] && !(done & (1n << BigInt(n))) && ended < limit) limit = ended;
    for (const [n, operation] of sorted.entries()) {
      if (operation.begun > limit) break;
      if (done & (1n << BigInt(n))) continue;
      // A refused operation comes before all that began after its response.
      if (operation.outcome === 'refused' && latest > operation.ended) continue;
      const next = apply(state, operation);
      if (next === IMPOSSIBLE) continue;
      const reached = { done: done | (1n << BigInt(n)), state: next, latest: Math.max(latest, operation.begun) };
      const key = `${reached.done.toString(36)} ${next ?? ''}`;
      if (seen.has(key)) continue;
      seen.add(key);
      stack.push(reached);
    }
  }
  return false;
}

/**
 * Removes operations as long as the history stays impossible, so that a person can read the error.
 * @param operations of a history that is not linearizable.
 */
export function smallestOf(operations: readonly Operation[]): Operation[] {
  let rest = [...operations].sort((a, b) => a.begun - b.begun);
  for (const operation of [...rest].reverse()) {
    const without = rest.filter((other) => other !== operation);
    // Writes explain the reads of others, so only operations without an effect are removed.
    const hasEffect = operation.kind !== 'read' && operation.outcome !== 'absent' && operation.outcome !== 'mismatch';
    if (!hasEffect && !isLinearizable(without)) rest = without;
  }
  return rest;
}

/**
 * Checks a total: it must count each member that certainly existed during the read, and no member that cannot have
 * existed.
 */
export function totalProblem(
  { total, begun, ended }: Total,
  members: readonly (readonly Operation[])[],
): string | undefined {
  let [least, most] = [0, 0];
  for (const operations of members) {
    const creation = operations.find(({ kind }) => kind === 'create');
    if (creation === undefined || creation.begun > ended) continue;
    const deletions = operations.filter(
      ({ kind, outcome }) => kind === 'delete' && !['absent', 'mismatch'].includes(outcome),
    );
    const isCertain = creation.outcome === 'done' && creation.ended < begun;
    if (isCertain && deletions.every((deletion) => deletion.begun > ended)) least += 1;
    if (!deletions.some((deletion) => deletion.outcome === 'done' && deletion.ended < begun)) most += 1;
  }
  const isPossible = total >= least && total <= most;
  return isPossible ? undefined : `the total was ${total}, and ${least} to ${most} were possible`;
}

/** Checks the states of one member that one user has read from standbys: none is older than an earlier one. */
export function sessionProblem(seen: readonly Seen[]): string | undefined {
  let latest = '';
  let wasGone = false;
  for (const { at = '', isGone } of seen) {
    if (isGone) wasGone = true;
    else if (wasGone) return 'a deleted member was there again';
    else if (at < latest) return `a state of ${at} was read after one of ${latest}`;
    else latest = at;
  }
  return undefined;
}
