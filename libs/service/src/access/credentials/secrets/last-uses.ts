import { Injectable } from '@nestjs/common';

/**
 * Collects the last use of each secret until the next flush, so that no request waits for a write.
 */
@Injectable()
export class LastUses {
  private uses = new Map<string, number>();

  /** @param hash of the secret. */
  record(hash: string): void {
    this.uses.set(hash, Date.now());
  }

  /** Hands over what was recorded: hash → milliseconds since the epoch. */
  take(): ReadonlyMap<string, number> {
    const taken = this.uses;
    this.uses = new Map();
    return taken;
  }

  /** Takes back what could not be written; later uses count for more. */
  giveBack(uses: Iterable<readonly [hash: string, usedAtMs: number]>): void {
    this.uses = new Map([...uses, ...this.uses]);
  }
}
