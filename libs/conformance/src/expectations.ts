import { answerInShort, type Exchange } from './service/exchange.js';
import { Unmet } from './verdict.js';

/** @throws {Unmet} another status. */
export function expectStatus(exchange: Exchange, ...expected: readonly number[]): void {
  if (!expected.includes(exchange.status)) throw unmet(exchange, expected.join(' or '));
}

/** @throws {Unmet} where it is not so; what came is the answer itself unless said otherwise. */
export function expectThat(holds: boolean, exchange: Exchange, expected: string, came?: string): void {
  if (!holds) throw unmet(exchange, expected, came);
}

export function unmet(exchange: Exchange, expected: string, came = answerInShort(exchange)): Unmet {
  return new Unmet(exchange, expected, came);
}
