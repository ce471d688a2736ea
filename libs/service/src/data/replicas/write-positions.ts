/** Longer than the lag of any standby that serves reads. */
export const POSITION_KEPT_MS = 10_000;
/** The primary serves all reads for this time if positions may have been lost. */
export const UNSURE_MS = 5000;

/** The position in the WAL of the primary that each caller has seen. Positions sort as text. */
export interface WritePositions {
  note(caller: string, position: string): Promise<boolean>;
  /** @returns An empty text without a recent position. Undefined if positions may have been lost. */
  latest(caller: string): Promise<string | undefined>;
}

/** Suits a single instance. Writes before the start of the process are not known. */
export class MemoryPositions implements WritePositions {
  /** Oldest first, as {@link forget} requires it. */
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
