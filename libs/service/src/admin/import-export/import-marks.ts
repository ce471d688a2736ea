import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';

import type { Database, Transaction } from '../../data/database/database.js';

import { OperationError } from '../session/operation-error.js';

/** Progress of an import, written in the same transaction as the rows. */
export interface ImportMark {
  /** Number of lines read, including empty ones. `bytes` and `sha256` are the length and hash of these lines. */
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

const NOTHING: ImportMark = { lines: 0, bytes: 0, sha256: '' };

export class ImportMarks {
  private name = '';
  private stored: string | undefined;
  mark = NOTHING;

  constructor(
    private readonly database: Database,
    private readonly collection: string,
  ) {}

  async find(file: string): Promise<void> {
    const begins = `import ${this.collection} `;
    const rows = await this.database.query<{ name: string; value: string }>(
      'SELECT name, value FROM settings WHERE name >= $1 AND name < $2',
      [begins, `${begins}~`],
    );
    const marks = rows.map(({ name, value }) => ({ name, value, ...(JSON.parse(value) as ImportMark) }));
    const found = marks.length === 0 ? undefined : await furthest(file, marks);
    this.name = found?.name ?? begins + randomUUID();
    this.stored = found?.value;
    this.mark = found ?? NOTHING;
  }

  /** Runs in the transaction that writes the rows. @throws {OperationError} another process imports the same file. */
  async advance(tx: Transaction, mark: ImportMark): Promise<void> {
    const value = JSON.stringify(mark);
    const rows =
      this.stored === undefined
        ? await tx.query('INSERT INTO settings (name, value) VALUES ($1, $2) RETURNING name', [this.name, value])
        : await tx.query('UPDATE settings SET value = $2 WHERE name = $1 AND value = $3 RETURNING name', [
            this.name,
            value,
            this.stored,
          ]);
    if (rows.length === 0) throw new OperationError('another process imports the same file');
  }

  advanced(mark: ImportMark): void {
    this.stored = JSON.stringify(mark);
    this.mark = mark;
  }

  async finish(): Promise<void> {
    await this.database.transaction((tx) => tx.query('DELETE FROM settings WHERE name = $1', [this.name]));
  }
}

/** Returns the last mark up to which the file is unchanged. */
async function furthest<Mark extends ImportMark>(file: string, marks: readonly Mark[]): Promise<Mark | undefined> {
  const hash = createHash('sha256');
  let position = 0;
  let found: Mark | undefined;
  const inOrder = [...marks].sort((a, b) => a.bytes - b.bytes);
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let next = inOrder[0]; next !== undefined && next.bytes <= position + chunk.length; next = inOrder[0]) {
      const stop = next.bytes - position;
      hash.update(chunk.subarray(start, stop));
      start = stop;
      if (hash.copy().digest('hex') === next.sha256) found = next;
      inOrder.shift();
    }
    if (inOrder.length === 0) break;
    hash.update(chunk.subarray(start));
    position += chunk.length;
  }
  return found;
}
