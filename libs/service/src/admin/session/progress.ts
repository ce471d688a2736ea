/** Hears how far something long has come. */
export interface Progress {
  /** @param what in words: `items`. @param done of `total`, in units of any kind. */
  at(what: string, done: number, total: number): void;
  /** Something else is written now. */
  end(): void;
}

/** As much of a stream as is needed. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Intervals in milliseconds: of drawing a bar, and of writing a line where there is no terminal. */
const BAR_MS = 100;
const LINE_MS = 5000;
const BAR_LENGTH = 30;
/** Back to the beginning of the line, and the rest of it deleted. */
const ANEW = '\r\u001B[K';

/** A bar on a terminal, else a line now and then. @param now milliseconds of any clock that goes on. */
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
      if (isTerminal) output.write(`${ANEW}${what} [${barOf(part)}] ${percent}`);
      else output.write(`${what}: ${percent}\n`);
      isDrawn = isTerminal;
    },
    end: () => {
      if (isDrawn) output.write(ANEW);
      isDrawn = false;
    },
  };
}

function barOf(part: number): string {
  return '#'.repeat(Math.floor(part * BAR_LENGTH)).padEnd(BAR_LENGTH, '.');
}
