/** Retention of a position: longer than the lag of any standby that serves reads. */
export const POSITION_KEPT_MS = 10_000;
/** If positions may have been lost, the primary serves all reads for this time. */
export const UNSURE_MS = 5000;

/** The position in the WAL of the primary that each caller has seen. Positions sort as text. */
export interface WritePositions {
  /** @returns False if the position may be lost. */
  record(caller: string, position: string): Promise<boolean>;
  /** @returns An empty text for a caller without a recent position. Undefined if positions may have been lost. */
  latest(caller: string): Promise<string | undefined>;
}

/** Positions of a single instance. They are lost when its process ends. */
export class MemoryPositions implements WritePositions {
  /** Oldest first, as {@link forget} requires. */
  private readonly recorded = new Map<string, { readonly position: string; readonly recordedAtMs: number }>();
  private readonly sureFromMs = performance.now() + UNSURE_MS;

  record(caller: string, position: string): Promise<boolean> {
    const before = this.recorded.get(caller)?.position ?? '';
    this.recorded.delete(caller);
    this.recorded.set(caller, { position: position > before ? position : before, recordedAtMs: performance.now() });
    this.forget(performance.now() - POSITION_KEPT_MS);
    return Promise.resolve(true);
  }

  latest(caller: string): Promise<string | undefined> {
    const isSure = performance.now() >= this.sureFromMs;
    return Promise.resolve(isSure ? (this.recorded.get(caller)?.position ?? '') : undefined);
  }

  private forget(beforeMs: number): void {
    for (const [caller, { recordedAtMs }] of this.recorded) {
      if (recordedAtMs >= beforeMs) return;
      this.recorded.delete(caller);
    }
  }
}
