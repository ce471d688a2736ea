import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { ApiError, ConflictError } from '@items/conventions';
import type { Database, Queryable } from '../../data/database/database.js';
import { isUniqueViolation } from '../../data/database/error-codes.js';

import type { OperationContext } from '../operation.js';
import { isOutside, OperationError } from '../session/operation-error.js';
import { withDatabase } from '../session/with-database.js';
import { FileLines } from './file-lines.js';
import { ImportMarks } from './import-marks.js';
import { type IsEarlier, keyText, KnownMembers, membersOf, type ComparedLine, valueOf } from './known-members.js';
import { type CheckedLine, MAX_LINE_BYTES, readMembers } from './read-members.js';
import { SeenKeys } from './seen-keys.js';
import { formatMembers, type ReadMember, type Transferable } from './transferable.js';

/** Maximum number of listed faults; others are only counted. */
const LISTED_FAULTS = 20;

export interface ImportContext extends Pick<
  OperationContext,
  'database' | 'schema' | 'events' | 'readJson' | 'progress' | 'print'
> {
  /** Opens standard input only if needed, because an open input keeps the process alive. */
  openInput: () => Readable;
}

/**
 * Adds the lines of a file to a collection by the rules of POST; the service may be running. Validates the whole file
 * before the first write. An interrupted import continues after the imported lines.
 * @param file Path, or `-` for standard input.
 * @throws {OperationError} states which lines were imported.
 */
export async function importFile(context: ImportContext, collection: Transferable, file: string): Promise<string> {
  return withReadable(file, context.openInput, (path) =>
    withDatabase(context, (database) =>
      new Import(context, collection, path, database).run().finally(() => {
        context.progress.end();
      }),
    ),
  );
}

class Import {
  private readonly size: number;
  private readonly marks: ImportMarks;
  private added = 0;
  private skipped = 0;

  constructor(
    private readonly context: ImportContext,
    private readonly collection: Transferable,
    private readonly path: string,
    private readonly database: Database,
  ) {
    this.size = statSync(path).size;
    this.marks = new ImportMarks(database, collection.name);
  }

  async run(): Promise<string> {
    await this.marks.find(this.path);
    const { lines: before } = this.marks.mark;
    const sha256 = await this.checkAll();
    const written = await this.write();
    if (written !== sha256) throw this.interruption('The file was changed while it was read');
    await this.marks.finish();
    return [
      `Imported ${formatMembers(this.added, this.collection)}`,
      this.skipped === 0
        ? ''
        : `; ${String(this.skipped)} more of the file ${this.skipped === 1 ? 'was' : 'were'} there already`,
      before === 0 ? '.' : `. The first ${String(before)} lines were imported by the run before.`,
    ].join('');
  }

  /** @returns the digest of the file. @throws {OperationError} a line is wrong: nothing is written. */
  private async checkAll(): Promise<string> {
    const lines = this.lines();
    const seen = new SeenKeys();
    let faults = 0;
    try {
      for await (const batch of this.batches(lines, 'judged')) {
        const numbers = numbersOf(batch);
        for (const [{ past }, number] of numbers) if (past.id !== undefined) seen.lineBefore('id', past.id, number);
        const isEarlier: IsEarlier = (id, member) => (seen.lineOf('id', id) ?? Infinity) < (numbers.get(member) ?? 0);
        const compared = await this.known(this.database).compare(batch, isEarlier);
        for (const line of compared) {
          const { member, number } = line;
          const fault = member instanceof ApiError ? member : this.repeated(seen, member, number);
          if (fault === undefined) continue;
          faults += 1;
          if (faults <= LISTED_FAULTS) this.context.print(formatFault(number, fault));
        }
      }
    } finally {
      seen.close();
    }
    if (faults === 0) return lines.digest();
    this.context.progress.end();
    if (faults > LISTED_FAULTS) this.context.print(`… and ${String(faults - LISTED_FAULTS)} more lines.`);
    const { lines: before } = this.marks.mark;
    const first = before === 0 ? '' : `The first ${String(before)} lines were imported by the run before. `;
    throw new OperationError(
      `${first}Nothing was imported: ${faults === 1 ? '1 line is' : `${String(faults)} lines are`} wrong.`,
    );
  }

  private async write(): Promise<string> {
    const lines = this.lines();
    const insertAll = await this.collection.open(this.database, this.context.events);
    for await (const batch of this.batches(lines, 'imported')) {
      const begunAt = performance.now();
      const last = batch.at(-1);
      if (last === undefined) continue;
      const mark = { lines: last.number, bytes: last.end, sha256: lines.digest() };
      const members = membersOf(batch);
      const isEarlier: IsEarlier = (id, member) =>
        members.slice(0, members.indexOf(member)).some(({ past }) => past.id === id);
      try {
        const beside = await this.collection.beside?.(members);
        const ids = await this.database.transaction(async (tx) => {
          const compared = await this.known(tx).compare(batch, isEarlier);
          const fresh = compared.filter(({ isStored }) => !isStored).map((line) => requireMember(line));
          const made = await insertAll(tx, fresh);
          const added = fresh.map((member, index) => ({ member, id: made[index] ?? '' }));
          await beside?.(tx, added);
          await this.marks.advance(tx, mark);
          return made;
        });
        this.collection.onAdded?.(ids);
        this.added += ids.length;
        this.skipped += batch.length - ids.length;
      } catch (error) {
        throw this.interruption(reasonOf(error), error);
      }
      this.marks.advanced(mark);
      // SQLite allows one writer at a time: the pause lets the service write.
      if (this.database.dialect === 'sqlite') await sleep((performance.now() - begunAt) / 4);
    }
    return lines.digest();
  }

  private known(database: Queryable): KnownMembers {
    return new KnownMembers(database, this.database.dialect, this.collection);
  }

  private lines(): FileLines {
    return new FileLines(this.path, MAX_LINE_BYTES);
  }

  private async *batches(lines: FileLines, done: string): ReturnType<typeof readMembers> {
    const { collection, context } = this;
    for await (const batch of readMembers(lines, collection, context.readJson, this.marks.mark.bytes)) {
      yield batch;
      context.progress.at(`${collection.name} ${done}`, batch.at(-1)?.end ?? 0, this.size);
    }
  }

  private repeated(seen: SeenKeys, member: ReadMember, number: number): ApiError | undefined {
    for (const field of ['id', ...(this.collection.unique ?? [])]) {
      const value = valueOf(member, field);
      const before = value === undefined ? undefined : seen.lineBefore(field, value, number);
      if (before === undefined) continue;
      return new ConflictError(`${field}_taken`, `Line ${String(before)} has the same ${field}.`);
    }
    for (const key of this.collection.keys) {
      const value = keyText(this.collection, key, member);
      const before = value === undefined ? undefined : seen.lineBefore(key.index, value, number);
      if (before === undefined) continue;
      return new ConflictError('not_unique', `Line ${String(before)} has the same ${key.fields.join(', ')}.`);
    }
    return undefined;
  }

  private interruption(reason: string, cause?: unknown): OperationError {
    const { lines } = this.marks.mark;
    const done = lines === 0 ? 'Nothing was imported' : `Lines 1 to ${String(lines)} are imported, and no later lines`;
    return new OperationError(`${done}: ${reason}. The same command continues from there.`, cause);
  }
}

/** @throws {OperationError} another process has made the validated line invalid. */
function requireMember({ member, number }: ComparedLine): Exclude<ComparedLine['member'], ApiError> {
  if (member instanceof ApiError) throw new OperationError(formatFault(number, member).replace(/\.$/, ''));
  return member;
}

function reasonOf(error: unknown): string {
  if (isUniqueViolation(error)) return 'another member has the same id, name or identity';
  if (error instanceof OperationError || isOutside(error)) return error.message.replace(/\.$/, '');
  throw error;
}

function numbersOf(batch: readonly CheckedLine[]): ReadonlyMap<ReadMember, number> {
  return new Map(
    batch.flatMap(({ member, number }) => (member instanceof ApiError ? [] : [[member, number] as const])),
  );
}

function formatFault(line: number, { code, message }: ApiError): string {
  return `line ${String(line)}: ${code}: ${message.replaceAll('The request body', 'The line')}`;
}

/** Makes the input readable twice: standard input or a pipe is first copied to a private file. */
async function withReadable<T>(
  file: string,
  openInput: () => Readable,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (file !== '-' && statSync(file).isFile()) return work(file);
  const folder = mkdtempSync(join(tmpdir(), 'items-import-'));
  try {
    const path = join(folder, 'lines');
    await pipeline(file === '-' ? openInput() : createReadStream(file), createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
