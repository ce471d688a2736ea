const CHEAP_MS = 2;
/** Reading the CPU time takes as long as a tenth of a GET. */
export const LOOK_EVERY_MS = 20;

interface ThreadProcess {
  threadCpuUsage?(): NodeJS.CpuUsage;
}

const usageOfThread = ((process as ThreadProcess).threadCpuUsage ?? process.cpuUsage).bind(process);

/** Distinguishes work that held the main thread from work that lost the core to another process. */
export class CpuClock {
  /** Before work begins, {@link lookAt} is called if this is {@link LOOK_EVERY_MS} ago. */
  lookedAtMs = -Infinity;
  private seenMs = 0;

  constructor(private readonly usage: () => NodeJS.CpuUsage = usageOfThread) {}

  lookAt(nowMs: number): void {
    const { user, system } = this.usage();
    this.lookedAtMs = nowMs;
    this.seenMs = (user + system) / 1000;
  }

  /** Returns wall time, or CPU time since the last reading if that is less. */
  since(beganAtMs: number, nowMs: number): number {
    const tookMs = nowMs - beganAtMs;
    if (tookMs < CHEAP_MS) return tookMs;
    const before = this.seenMs;
    this.lookAt(nowMs);
    return Math.min(tookMs, this.seenMs - before);
  }
}
