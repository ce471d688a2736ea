/** Shorter work is charged to nobody where nothing waits. */
export const CHEAP_MS = 2;
/** A look costs some microseconds: a tenth of a get. */
const LOOK_EVERY_MS = 20;

/** As much of Node's `process` as tells the CPU time of this thread: from 22.19 and 23.9 on. */
interface ThreadProcess {
  threadCpuUsage?(): NodeJS.CpuUsage;
}

const ofThread = (process as ThreadProcess).threadCpuUsage?.bind(process);

/**
 * CPU time of this thread so far, in milliseconds; of the whole process where Node does not tell them apart.
 */
function threadCpuMs(): number {
  const { user, system } = ofThread === undefined ? process.cpuUsage() : ofThread();
  return (user + system) / 1000;
}

/** Tells work that held the main thread from work that lost the core to another process. */
export class CpuClock {
  private lookedAtMs = -Infinity;
  private seenMs = 0;

  /** @param cpuMs CPU time so far. */
  constructor(private readonly cpuMs = threadCpuMs) {}

  /** Work begins. */
  lookAt(nowMs: number): void {
    if (nowMs - this.lookedAtMs < LOOK_EVERY_MS) return;
    this.lookedAtMs = nowMs;
    this.seenMs = this.cpuMs();
  }

  /** Milliseconds of work that has just ended: what has passed, or the CPU time since the last look where that is less. */
  since(beganAtMs: number, nowMs: number): number {
    const tookMs = nowMs - beganAtMs;
    if (tookMs < CHEAP_MS) return tookMs;
    const before = this.seenMs;
    this.lookedAtMs = nowMs;
    this.seenMs = this.cpuMs();
    return Math.min(tookMs, this.seenMs - before);
  }
}
