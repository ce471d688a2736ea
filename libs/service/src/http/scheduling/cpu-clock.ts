/** Of shorter work it is not worth a look. */
const CHEAP_MS = 2;
/** A look costs some microseconds: a tenth of a get. */
export const LOOK_EVERY_MS = 20;

/** As much of Node's `process` as tells the CPU time of this thread: from 22.19 and 23.9 on. */
interface ThreadProcess {
  threadCpuUsage?(): NodeJS.CpuUsage;
}

/** Of the whole process where Node does not tell its threads apart. */
const usageOfThread = ((process as ThreadProcess).threadCpuUsage ?? process.cpuUsage).bind(process);

/** Tells work that held the main thread from work that lost the core to another process. */
export class CpuClock {
  /** Before work begins, {@link lookAt} is called where this was {@link LOOK_EVERY_MS} ago. */
  lookedAtMs = -Infinity;
  private seenMs = 0;

  /** @param usage CPU time so far, in microseconds. */
  constructor(private readonly usage: () => NodeJS.CpuUsage = usageOfThread) {}

  lookAt(nowMs: number): void {
    const { user, system } = this.usage();
    this.lookedAtMs = nowMs;
    this.seenMs = (user + system) / 1000;
  }

  /** Milliseconds of work that has just ended: what has passed, or the CPU time since the last look where that is less. */
  since(beganAtMs: number, nowMs: number): number {
    const tookMs = nowMs - beganAtMs;
    if (tookMs < CHEAP_MS) return tookMs;
    const before = this.seenMs;
    this.lookAt(nowMs);
    return Math.min(tookMs, this.seenMs - before);
  }
}
