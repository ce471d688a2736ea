import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { ServiceUnavailableError } from '@items/errors';
import { Injectable } from '@nestjs/common';
import { hash, verify, type Options } from '@node-rs/argon2';

import { WorkQueue } from './work-queue.js';

/** argon2id (the library's default), 19 MiB, two passes. authentication.md, OWASP Password Storage Cheat Sheet */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes computed at once: a core stays free for requests, and of libuv's four threads at least one for files. */
const CONCURRENCY = Math.max(1, Math.min(3, availableParallelism() - 1));
/** Passwords that wait at most: some seconds' work. */
const MAX_WAITING = 128;

/** Hashes and judges passwords beside the event loop, a few at a time. */
@Injectable()
export class PasswordHasher {
  private readonly queue = new WorkQueue(CONCURRENCY, MAX_WAITING, overloaded);
  /** Nobody's: judged where there is no user, so that his absence takes as long as a wrong password. */
  private decoy: Promise<string> | undefined;

  /** @returns a PHC string with its own salt. @throws {ServiceUnavailableError} 503: too many wait. */
  hash(password: string): Promise<string> {
    return this.queue.run(() => hash(composed(password), COST));
  }

  /** The same for the same password and username; as slow to guess from as a hash. @throws as {@link hash} */
  fingerprint(password: string, username: string): Promise<string> {
    const salt = createHash('sha256').update(username).digest().subarray(0, 16);
    return this.queue.run(() => hash(composed(password), { ...COST, salt }));
  }

  /**
   * @param find looks for the stored hash, as late as when its turn has come: of many who guess at once, each does as
   * little as can be before he waits. Undefined where there is no user: never a match, in the same time.
   * @throws as {@link hash}, and what `find` throws.
   */
  async verify(find: () => Promise<string | undefined>, password: string): Promise<boolean> {
    const decoy = await this.decoyHash();
    return this.queue.run(async () => {
      const stored = await find();
      const matches = await verify(stored ?? decoy, composed(password));
      return matches && stored !== undefined;
    });
  }

  private decoyHash(): Promise<string> {
    if (this.decoy === undefined) {
      this.decoy = this.hash(randomUUID());
      this.decoy.catch(() => (this.decoy = undefined));
    }
    return this.decoy;
  }
}

/** The same password typed on another keyboard may come decomposed. RFC 8265 §4.2 */
function composed(password: string): string {
  return password.normalize('NFC');
}

function overloaded(): ServiceUnavailableError {
  return new ServiceUnavailableError('overloaded', 'Too many passwords wait to be verified; try again shortly.', {
    retryAfterSeconds: 2,
  });
}
