import { type LookUps, LookUpCache } from '../../../data/caching/look-up-cache.js';
import type { MaybePromise } from '@items/conventions';
import { Database } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

import { findTokenFacts, type TokenFacts } from './token-facts.js';

/** Caches for 5 s. Changes by this process are visible immediately. */
@Injectable()
export class AccessTokenCache {
  private readonly known = new LookUpCache<TokenFacts>();

  constructor(private readonly database: Database) {}

  get lookUps(): LookUps {
    return this.known.lookUps;
  }

  find(hash: string): MaybePromise<TokenFacts | null> {
    return this.known.get(hash, () => findTokenFacts(this.database, hash));
  }

  has(hash: string): boolean {
    return this.cached(hash) !== undefined;
  }

  cached(hash: string): TokenFacts | undefined {
    return this.known.peek(hash);
  }

  forget(hash: string): void {
    this.known.forget(hash);
  }

  forgetAll(): void {
    this.known.clear();
  }
}
