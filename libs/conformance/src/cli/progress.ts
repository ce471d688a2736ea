import { type Terminal } from './terminal.js';

export interface Progress {
  readonly step: (done: number, all: number, id: string) => void;
  readonly end: () => void;
}

/** One line that is written over on a terminal; elsewhere one line in all. */
export function showProgress({ err, isTty }: Pick<Terminal, 'err' | 'isTty'>, url: string): Progress {
  const opening = `Finding out what ${url} offers …`;
  err(isTty ? opening : `${opening}\n`);
  return {
    step: (done, all, id) => {
      if (isTty) err(`\r\u001b[2K${done}/${all} ${id}`);
    },
    end: () => {
      if (isTty) err('\r\u001b[2K');
    },
  };
}
