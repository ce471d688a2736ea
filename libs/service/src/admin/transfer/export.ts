import { createHash } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { DatabaseConfig } from '../../data/database/database-options.js';
import { makeNewFile } from '../backup/new-file.js';
import { OperationError } from '../session/operation-error.js';
import type { Progress } from '../session/progress.js';
import { FileLines } from './file-lines.js';
import { storedRows } from './stored-rows.js';
import { inNumber, type Transferable } from './transferable.js';

export interface ExportContext {
  readonly database: DatabaseConfig;
  readonly progress: Progress;
  readonly output: Writable;
}

/**
 * Writes a snapshot of a collection into a new file, one line per member as in the API, in the order of creation. The
 * service may run.
 * @param file its name, or `-`.
 * @throws {OperationError} no file was left behind.
 */
export async function exportFile(context: ExportContext, collection: Transferable, file: string): Promise<string> {
  if (file === '-') {
    const { lines } = await written(context, collection, context.output);
    return `Exported ${inNumber(lines, collection)}.`;
  }
  const lines = await makeNewFile(file, 'export', async (partial) => {
    const sent = await written(context, collection, createWriteStream(partial, { flags: 'r+' }));
    const found = await readThrough(partial);
    if (found.lines !== sent.lines || found.sha256 !== sent.sha256)
      throw new OperationError('The export was not made: the file does not hold what was written to it.');
    return sent.lines;
  });
  return `Exported to ${file}, and read through: ${inNumber(lines, collection)}, ${String(statSync(file).size)} bytes.`;
}

interface Sum {
  readonly lines: number;
  readonly sha256: string;
}

async function written({ database, progress }: ExportContext, collection: Transferable, to: Writable): Promise<Sum> {
  const hash = createHash('sha256');
  let lines = 0;
  let total = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const { rows, count } of storedRows(database, collection)) {
      const text = rows.map((row) => `${collection.toJson(row)}\n`).join('');
      hash.update(text);
      lines += rows.length;
      total = count;
      yield text;
      progress.at(`${collection.name} exported`, lines, total);
    }
  }
  try {
    await pipeline(Readable.from(texts()), to, { end: to !== process.stdout });
  } finally {
    progress.end();
  }
  if (lines !== total) throw new OperationError(`The export was not made: ${String(lines)} of ${String(total)} rows.`);
  return { lines, sha256: hash.digest('hex') };
}

async function readThrough(file: string): Promise<Sum> {
  const lines = new FileLines(file, Infinity);
  let count = 0;
  for await (const { number } of lines.all()) count = number;
  return { lines: count, sha256: lines.digest() };
}
