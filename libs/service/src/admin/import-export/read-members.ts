import { ApiError, BodyTooLargeError, MAX_BODY_BYTES } from '@items/conventions';

import type { FileLines } from './file-lines.js';
import type { ReadMember, Transferable } from './transferable.js';

export interface CheckedLine {
  readonly number: number;
  /** Byte offset of the next line. */
  readonly end: number;
  readonly size: number;
  readonly member: ReadMember | ApiError;
}

/** Parses JSON as the API parses a body. @throws {ApiError} */
export type ReadJson = (bytes: Uint8Array) => Promise<unknown>;

const BATCH_LINES = 100;
/** Lines may be long, so the size of a batch is limited, too. */
const BATCH_BYTES = 2 * MAX_BODY_BYTES;
export const MAX_LINE_BYTES = MAX_BODY_BYTES;

/** Validates each line as a body of POST; skips empty lines, and the first `from` bytes. */
export async function* readMembers(
  lines: FileLines,
  collection: Pick<Transferable, 'read'>,
  readJson: ReadJson,
  from = 0,
): AsyncGenerator<readonly CheckedLine[], void> {
  let batch: CheckedLine[] = [];
  let bytes = 0;
  for await (const { number, bytes: line, end } of lines.all()) {
    if (end <= from || line?.every(isSpace) === true) continue;
    const size = line?.length ?? 0;
    batch.push({ number, end, size, member: await checkLine(line, collection, readJson) });
    bytes += size;
    if (batch.length < BATCH_LINES && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

async function checkLine(
  line: Buffer | undefined,
  collection: Pick<Transferable, 'read'>,
  readJson: ReadJson,
): Promise<ReadMember | ApiError> {
  try {
    if (line === undefined) throw new BodyTooLargeError(MAX_LINE_BYTES);
    return collection.read(await readJson(line));
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}
