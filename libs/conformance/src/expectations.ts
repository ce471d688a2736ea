import { answerInShort, type Exchange } from './service/exchange.js';
import { NotApplicable, Unmet } from './verdict.js';

export function expectStatus(exchange: Exchange, ...expected: readonly number[]): void {
  if (!expected.includes(exchange.status)) throw unmet(exchange, expected.join(' or '));
}

/** @throws {Unmet} the condition is false; `came` defaults to the response. */
export function expectThat(holds: boolean, exchange: Exchange, expected: string, came?: string): void {
  if (!holds) throw unmet(exchange, expected, came);
}

/** Another check judges responses that are not JSON. @throws {NotApplicable} */
export function expectJson({ json }: Exchange): void {
  if (json === undefined) throw new NotApplicable('1.json.answers fails: this response is no JSON');
}

export function unmet(exchange: Exchange, expected: string, came = answerInShort(exchange)): Unmet {
  return new Unmet(exchange, expected, came);
}
