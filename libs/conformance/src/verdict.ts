import { answerInShort, type Exchange } from './service/exchange.js';

/** The service violates the sentence of the specification that a check tests; `exchange` is the smallest example. */
export class Unmet extends Error {
  override readonly name = 'Unmet';

  /** @param actual The actual result. Default: the response. */
  constructor(
    readonly exchange: Exchange,
    readonly expected: string,
    readonly actual = answerInShort(exchange),
  ) {
    super(`expected ${expected}, came ${actual}`);
  }
}

/** The sentence cannot be judged, for example because the service lacks a feature. The message is the reason. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The service dropped a connection, and now refuses new connections. */
export class ServiceGone extends NotApplicable {}

/** The tool cannot judge: no response, a wrong address, a refused credential. The message is one sentence. */
export class CannotJudge extends Error {
  override readonly name = 'CannotJudge';
}

export function expectStatus(exchange: Exchange, ...expected: readonly number[]): void {
  if (!expected.includes(exchange.status)) throw new Unmet(exchange, expected.join(' or '));
}

/** @throws {Unmet} The condition is false. @param actual See {@link Unmet}. */
export function expectThat(holds: boolean, exchange: Exchange, expected: string, actual?: string): void {
  if (!holds) throw new Unmet(exchange, expected, actual);
}

/** @throws {NotApplicable} The response is not JSON. Another check judges this. */
export function expectJson({ json }: Exchange): void {
  if (json === undefined) throw new NotApplicable('1.json.answers fails: this response is not JSON');
}

/** Returns undefined instead of throwing `NotApplicable`. */
export async function ifApplicable<T>(result: Promise<T>): Promise<T | undefined> {
  return result.catch((error: unknown) => {
    if (error instanceof NotApplicable) return undefined;
    throw error;
  });
}
