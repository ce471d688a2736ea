import { Injectable } from '@nestjs/common';

/** Collects last uses until the next flush, so that no request waits for a write. */
@Injectable()
export class LastUses {
  private uses = new Map<string, number>();

  record(hash: string): void {
    this.uses.set(hash, Date.now());
  }

  /** Returns and clears the uses: milliseconds since the epoch by hash. */
  take(): ReadonlyMap<string, number> {
    const taken = this.uses;
    this.uses = new Map();
    return taken;
  }

  /** Adds uses that could not be written. Later uses win. */
  giveBack(uses: Iterable<readonly [hash: string, usedAtMs: number]>): void {
    this.uses = new Map([...uses, ...this.uses]);
  }
}
