/** How long a position is kept, in milliseconds: a standby that is read is never that far behind. */
export const POSITION_KEPT_MS = 10_000;
/** How long the primary answers everybody where positions may have been lost, in milliseconds. */
export const UNSURE_MS = 5000;

/**
 * Where the latest write of each caller stands in the log of the primary. Positions are texts, of which the later one is
 * the greater one.
 */
export interface WritePositions {
  /** @returns whether all instances know it now. */
  note(caller: string, position: string): Promise<boolean>;
  /** @returns an empty text where the caller has written nothing lately; undefined where that is not known. */
  latest(caller: string): Promise<string | undefined>;
}

/** For a single instance, in its process. What was written before its start is not known. */
export class MemoryPositions implements WritePositions {
  /** The oldest first. */
  private readonly notes = new Map<string, { readonly position: string; readonly notedAtMs: number }>();
  private readonly sureFromMs = performance.now() + UNSURE_MS;

  note(caller: string, position: string): Promise<boolean> {
    const before = this.notes.get(caller)?.position ?? '';
    this.notes.delete(caller);
    this.notes.set(caller, { position: position > before ? position : before, notedAtMs: performance.now() });
    this.forget(performance.now() - POSITION_KEPT_MS);
    return Promise.resolve(true);
  }

  latest(caller: string): Promise<string | undefined> {
    const isSure = performance.now() >= this.sureFromMs;
    return Promise.resolve(isSure ? (this.notes.get(caller)?.position ?? '') : undefined);
  }

  private forget(beforeMs: number): void {
    for (const [caller, { notedAtMs }] of this.notes) {
      if (notedAtMs >= beforeMs) return;
      this.notes.delete(caller);
    }
  }
}
