import { ApiError, ConflictError, ResourceNotFoundError } from '@items/conventions';

import { firstConflicts, NotUniqueError } from '../../data/collections/unique-conflicts.js';
import type { Queryable } from '../../data/database/database.js';
import type { VersionedRow } from '../../data/database/versioned-row.js';
import type { Values } from '../../data/definition/collection.js';
import type { UniqueKey } from '../../data/definition/unique-keys.js';
import type { Dialect } from '../../data/schema/dialect.js';
import { sqlName } from '../../data/schema/quoted.js';
import { isRowId } from '../../data/schema/row-id.js';
import { unknownReferenceError, unknownReferences } from '../../data/writes/reference-checks.js';
import type { CheckedLine } from './read-members.js';
import type { FindMembers, ReadMember, Transferable } from './transferable.js';

export interface ComparedLine extends CheckedLine {
  readonly isStored: boolean;
}

/** Returns whether a line before `member` has the id. */
export type IsEarlier = (id: string, member: ReadMember) => boolean;

/** Only the first problem of a line is reported. */
type Refuse = (member: ReadMember, problem: ApiError) => void;

/** Expands a list in one JSON parameter, so that the statement is the same for any length. */
const LISTED: Readonly<Record<Dialect, (type: string) => string>> = {
  sqlite: () => 'SELECT value FROM json_each($1)',
  postgres: (type) => `SELECT value::${type} FROM json_array_elements_text(CAST($1 AS json))`,
};

export class KnownMembers {
  constructor(
    private readonly database: Queryable,
    private readonly dialect: Dialect,
    private readonly collection: Transferable,
  ) {}

  async compare(lines: readonly CheckedLine[], isEarlier: IsEarlier): Promise<readonly ComparedLine[]> {
    const { name, columns, rowOf, toJson } = this.collection;
    const whole = await this.completed(lines);
    const members = membersOf(whole);
    const found = await this.rowsById<VersionedRow>(name, columns, valuesOf(members, 'id'));
    const known = new Map(found.map((row) => [row.id, row]));
    const problems = new Map<ReadMember, ApiError>();
    const refuse: Refuse = (member, problem) => {
      if (!problems.has(member)) problems.set(member, problem);
    };
    await this.refuseTaken(members, refuse);
    await this.refuseWithoutParent(members, refuse);
    await this.refuseUnknownTargets(members, isEarlier, refuse);
    await this.refuseConflicts(members, refuse);
    return whole.map((line) => {
      const { member } = line;
      if (member instanceof ApiError) return { ...line, isStored: false };
      const former = known.get(member.past.id ?? '');
      if (former === undefined) return { ...line, isStored: false, member: problems.get(member) ?? member };
      const isStored = toJson(former) === toJson(rowOf(member, former));
      if (isStored) return { ...line, isStored };
      return {
        ...line,
        isStored,
        member: new ConflictError('id_taken', `There is another member with the id ${former.id}.`),
      };
    });
  }

  private async completed(lines: readonly CheckedLine[]): Promise<readonly CheckedLine[]> {
    const { completion } = this.collection;
    if (completion === undefined) return lines;
    const find: FindMembers = async ({ name, columns, present }, ids) => {
      const names = columns.map((column) => column.name);
      const rows = await this.rowsById<VersionedRow>(name, names, ids);
      return new Map(rows.map((row) => [row.id, present(row)]));
    };
    const fields = membersOf(lines).map((member) => member.fields as never);
    const complete = await completion(find, fields);
    return lines.map((line) => {
      if (line.member instanceof ApiError) return line;
      try {
        const { fields, past } = line.member;
        return { ...line, member: { fields: { ...fields, ...complete(fields as never) }, past } };
      } catch (error) {
        if (error instanceof ApiError) return { ...line, member: error };
        throw error;
      }
    });
  }

  private async refuseTaken(members: readonly ReadMember[], refuse: Refuse): Promise<void> {
    const { name, unique = [] } = this.collection;
    for (const field of unique) {
      const values = valuesOf(members, field);
      if (values.length === 0) continue;
      const rows = await this.database.query<Record<string, string>>(
        `SELECT id, ${sqlName(field)} FROM ${sqlName(name)} WHERE ${sqlName(field)} IN (${LISTED[this.dialect]('text')})`,
        [JSON.stringify(values)],
      );
      const taken = new Set(rows.map((row) => row[field]));
      for (const member of members) {
        if (!taken.has(valueOf(member, field) ?? '')) continue;
        refuse(member, new ConflictError(`${field}_taken`, `There is another member with this ${field}.`));
      }
    }
  }

  private async refuseWithoutParent(members: readonly ReadMember[], refuse: Refuse): Promise<void> {
    const { parent, parents } = this.collection;
    if (parent === undefined || parents === undefined) return;
    const found = await this.rowsById<{ id: string }>(parents.name, ['id'], valuesOf(members, parent));
    const known = new Set(found.map(({ id }) => id));
    for (const member of members) {
      if (!known.has(valueOf(member, parent) ?? '')) refuse(member, new ResourceNotFoundError(parents.singular));
    }
  }

  /**
   * Refuses references to unknown members. A known member is stored, or is in an earlier line of the same collection.
   */
  private async refuseUnknownTargets(
    members: readonly ReadMember[],
    isEarlier: IsEarlier,
    refuse: Refuse,
  ): Promise<void> {
    const { name, references } = this.collection;
    const rows = members.map((member) => newRow(this.collection, member));
    for (const reference of references) {
      const unknown = await unknownReferences(this.database, this.dialect, [reference], rows);
      const isOwn = reference.target().name === name;
      for (const [index, member] of members.entries()) {
        if (unknown[index] === undefined) continue;
        if (isOwn && isEarlier(String(rows[index]?.[reference.column]), member)) continue;
        refuse(member, unknownReferenceError(reference));
      }
    }
  }

  private async refuseConflicts(members: readonly ReadMember[], refuse: Refuse): Promise<void> {
    const { name, singular, parent, keys: unique } = this.collection;
    const rows = members.map((member) => newRow(this.collection, member));
    const found = await firstConflicts(this.database, { name, singular, parent, unique }, rows);
    for (const [index, member] of members.entries()) {
      const key = found[index];
      if (key !== undefined) refuse(member, new NotUniqueError(this.collection, key.fields));
    }
  }

  /** @param ids Malformed ids match nothing. */
  private async rowsById<Row>(table: string, columns: readonly string[], ids: readonly string[]): Promise<Row[]> {
    const known = [...new Set(ids.filter(isRowId))];
    if (known.length === 0) return [];
    return this.database.query<Row>(
      `SELECT ${columns.map(sqlName).join(', ')} FROM ${sqlName(table)} WHERE id IN (${LISTED[this.dialect]('uuid')})`,
      [JSON.stringify(known)],
    );
  }
}

/** @returns the key as JSON; undefined if a value is null, because null never conflicts. */
export function keyText(collection: Transferable, { columns }: UniqueKey, member: ReadMember): string | undefined {
  const row = newRow(collection, member);
  const values = columns.map((column) => row[column] ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}

function newRow(collection: Transferable, member: ReadMember): Values {
  return collection.rowOf(member, {} as VersionedRow);
}

export function membersOf(lines: readonly CheckedLine[]): ReadMember[] {
  return lines.flatMap(({ member }) => (member instanceof ApiError ? [] : [member]));
}

function valuesOf(members: readonly ReadMember[], column: string): string[] {
  return members.flatMap((member) => valueOf(member, column) ?? []);
}

export function valueOf({ past, fields }: ReadMember, column: string): string | undefined {
  const value = column === 'id' ? past.id : fields[column];
  return typeof value === 'string' ? value : undefined;
}
