export interface Progress {
  /** @param what Label, such as `items`. @param done Finished part of `total`, in the same unit. */
  at(what: string, done: number, total: number): void;
  end(): void;
}

export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const BAR_MS = 100;
const LINE_MS = 5000;
const BAR_LENGTH = 30;
const CLEAR_LINE = '\r\u001B[K';

/** @param now returns milliseconds of a monotonic clock. */
export function progressOn(output: ProgressOutput, now: () => number = () => performance.now()): Progress {
  const isTerminal = output.isTTY === true;
  let nextMs = isTerminal ? -Infinity : now() + LINE_MS;
  let isDrawn = false;
  return {
    at: (what, done, total) => {
      if (now() < nextMs) return;
      nextMs = now() + (isTerminal ? BAR_MS : LINE_MS);
      const part = total === 0 ? 1 : Math.min(1, done / total);
      const percent = `${String(Math.floor(part * 100))} %`;
      if (isTerminal) output.write(`${CLEAR_LINE}${what} [${barOf(part)}] ${percent}`);
      else output.write(`${what}: ${percent}\n`);
      isDrawn = isTerminal;
    },
    end: () => {
      if (isDrawn) output.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

function barOf(part: number): string {
  return '#'.repeat(Math.floor(part * BAR_LENGTH)).padEnd(BAR_LENGTH, '.');
}
