export interface Progress {
  readonly step: (done: number, all: number, id: string) => void;
  readonly wait: (seconds: number) => void;
  readonly end: () => void;
}

/** Shorter waits are not shown, because a reader would not notice them. */
const SHOWN_WAIT_SECONDS = 2;

/** Overwrites one line on a terminal. Otherwise prints the opening line, and a line for each longer wait. */
export function showProgress({ err, isTty }: Pick<Terminal, 'err' | 'isTty'>, url: string): Progress {
  const opening = `Detecting the features of ${url} …`;
  err(isTty ? opening : `${opening}\n`);
  return {
    step: (done, all, id) => {
      if (isTty) err(`\r\u001b[2K${done}/${all} ${id}`);
    },
    wait: (seconds) => {
      const line = `The quota is used up: waiting ${Math.ceil(seconds)} s.`;
      if (seconds >= SHOWN_WAIT_SECONDS) err(isTty ? `\r\u001b[2K${line}` : `${line}\n`);
    },
    end: () => {
      if (isTty) err('\r\u001b[2K');
    },
  };
}

export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isTty: boolean;
  /** Width; undefined if the report goes to a file or another program. */
  readonly columns?: number | undefined;
  /** File for the step summary of a GitHub workflow. */
  readonly stepSummary?: string | undefined;
  readonly signal: AbortSignal;
}
