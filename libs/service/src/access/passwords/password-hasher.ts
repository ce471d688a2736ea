import { createHash, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { ServiceUnavailableError } from '@items/conventions';
import { hash, type Options, verify } from '@node-rs/argon2';
import { type QueueBounds, WorkQueue } from './work-queue.js';

/** argon2id (the library's default), 19 MiB, two passes. SPEC §5.6, OWASP Password Storage Cheat Sheet */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Leaves a core for requests, and one of libuv's four threads for files. */
const CONCURRENCY = Math.max(1, Math.min(3, availableParallelism() - 1));
/** `perClient` is some seconds of work. `waitMs` leaves a second for the response, due within 5 s. SPEC §4.1 */
const WAITING: QueueBounds = { perClient: 128, inAll: 1024, waitMs: 4000 };
/** Client id in the queue for hashes that the service itself needs. */
const SERVICE = '';

/** Hashes outside the event loop with limited concurrency. Clients take turns, by address. */
export class PasswordHasher {
  private readonly queue = new WorkQueue(CONCURRENCY, WAITING, overloaded);
  /** Hash for unknown users: verifying it takes as much time as a wrong password. */
  private decoy: Promise<string> | undefined;

  /**
   * @param client Address of the client. Default: the service itself.
   * @returns A PHC string with its own salt.
   * @throws {ServiceUnavailableError} 503: the queue is full, or the wait exceeded 4 s.
   */
  hash(password: string, client = SERVICE): Promise<string> {
    return this.queue.run(() => hash(composed(password), COST), client);
  }

  /**
   * Returns the same text for the same password and username. Guessing the password from this text is as slow as from a
   * hash.
   * @throws As {@link hash}.
   */
  fingerprint(password: string, username: string, client: string): Promise<string> {
    const salt = createHash('sha256').update(username).digest().subarray(0, 16);
    return this.queue.run(() => hash(composed(password), { ...COST, salt }), client);
  }

  /**
   * @param find Reads the stored hash when the task leaves the queue, so that refused guesses cost little. Resolves to
   * undefined for an unknown user.
   * @param sinceMs `performance.now()` at the start of the wait.
   */
  async verify(
    find: () => Promise<string | undefined>,
    password: string,
    client: string,
    sinceMs = performance.now(),
  ): Promise<boolean> {
    const decoy = await this.decoyHash();
    return this.queue.run(
      async () => {
        const stored = await find();
        const matches = await verify(stored ?? decoy, composed(password));
        return matches && stored !== undefined;
      },
      client,
      sinceMs,
    );
  }

  private decoyHash(): Promise<string> {
    if (this.decoy === undefined) {
      this.decoy = this.hash(randomUUID());
      this.decoy.catch(() => (this.decoy = undefined));
    }
    return this.decoy;
  }
}

function overloaded(): ServiceUnavailableError {
  return new ServiceUnavailableError('overloaded', 'Too many passwords wait to be verified; try again shortly.', {
    retryAfterSeconds: 2,
  });
}

/** Maximum in code units: four times the longest password, because decomposed characters are longer. */
const MAX_LENGTH = 1024;

/**
 * Converts a password to NFC, because another keyboard may send NFD. Texts over `MAX_LENGTH` stay unchanged, because
 * normalization takes quadratic time for a run of combining marks.
 * @see RFC 8265 §4.2
 */
export function composed(password: string): string {
  return password.length > MAX_LENGTH ? password : password.normalize('NFC');
}
