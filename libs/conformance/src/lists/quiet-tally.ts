import type { Findings } from '../discovery/findings.js';

export const rowsToWalk = 9;

/** Counts the cursor walks without concurrent writes. Records the fewest rows that a walk listed. */
export class QuietWalks {
  private walks = 0;
  private listed = rowsToWalk;

  note(listed: number): void {
    this.walks += 1;
    this.listed = Math.min(this.listed, listed);
  }

  scope(found: Findings): PagingScope {
    if (this.walks > 0) return { style: 'cursor', rows: rowsToWalk, listed: this.listed, walks: this.walks };
    const style = !found.has('cursor') && found.has('offset') ? 'offset only' : 'not judged';
    return { style, rows: 0, listed: 0, walks: 0 };
  }
}

/** Summary of the cursor walks without concurrent writes. */
export interface PagingScope {
  readonly style: 'cursor' | 'offset only' | 'not judged';
  readonly rows: number;
  /** Fewest rows that any walk listed. */
  readonly listed: number;
  readonly walks: number;
}
