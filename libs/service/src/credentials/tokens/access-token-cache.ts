import { type LookUps, ReadThroughCache } from '../../caching/read-through-cache.js';
import { Database } from '@items/store';
import { Injectable } from '@nestjs/common';

import { findTokenFacts, type TokenFacts } from './token-facts.js';

/** The access tokens of our own as they were at most 5 s ago; what this process ends is seen at once. */
@Injectable()
export class AccessTokenCache {
  private readonly known: ReadThroughCache<TokenFacts>;

  constructor(database: Database) {
    this.known = new ReadThroughCache((hash) => findTokenFacts(database, hash));
  }

  /** For those who watch. */
  get lookUps(): LookUps {
    return this.known.lookUps;
  }

  /** @returns null for what is no access token. @throws {ServiceUnavailableError} 503: the database cannot tell. */
  find(hash: string): TokenFacts | null | Promise<TokenFacts | null> {
    return this.known.get(hash);
  }

  /** The same without a look-up: undefined where it takes one. */
  peek(hash: string): TokenFacts | null | undefined {
    return this.known.peek(hash);
  }

  forget(hash: string): void {
    this.known.forget(hash);
  }

  /** Some have ended: what is remembered of any may be wrong. */
  forgetAll(): void {
    this.known.clear();
  }
}
