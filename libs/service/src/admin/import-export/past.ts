import type { NewMember } from '../../data/collections/collection-service.js';
import type { HasId } from '../../data/definition/collection.js';
import { IMPORT_CLOCK_TOLERANCE_MS } from '../../data/writes/row-store.js';
import { type ErrorDetail, ValidationError } from '@items/conventions';
import { DateTime, Optional, RowId, validate } from '@items/fields';

class PastDto {
  @Optional()
  @RowId()
  id!: string | null;

  @Optional()
  @DateTime()
  created_at!: string | null;

  @Optional()
  @DateTime()
  updated_at!: string | null;
}

/** @throws {ValidationError} 422: a malformed id or time, a time in the future, or an update before the creation. */
export function readPast(value: unknown): NonNullable<NewMember<HasId>['past']> {
  if (typeof value !== 'object' || value === null) return {};
  const { id: givenId, created_at: givenCreation, updated_at: givenUpdate } = value as Partial<PastDto>;
  const given = { id: givenId, created_at: givenCreation, updated_at: givenUpdate };
  const { id, created_at: createdAt, updated_at: updatedAt } = validate(PastDto, given);
  const created = timeOf('created_at', createdAt);
  const updated = timeOf('updated_at', updatedAt);
  if (updated !== undefined && (created === undefined || updated < created)) {
    const message =
      created === undefined
        ? '"created_at" is required if "updated_at" is given.'
        : '"updated_at" must not be before "created_at".';
    throw refusal({ field: 'updated_at', code: 'out_of_range', message });
  }
  return {
    ...(id !== null && { id }),
    ...(created !== undefined && { created_at: created }),
    ...(updated !== undefined && { updated_at: updated }),
  };
}

/** Refuses times more than {@link IMPORT_CLOCK_TOLERANCE_MS} ahead, because lists assume no future times. */
function timeOf(field: string, text: string | null): number | undefined {
  if (text === null) return undefined;
  const ms = Date.parse(text);
  if (ms <= Date.now() + IMPORT_CLOCK_TOLERANCE_MS) return ms;
  throw refusal({ field, code: 'in_future', message: `"${field}" must not be in the future.` });
}

function refusal(problem: ErrorDetail): ValidationError {
  return new ValidationError([problem]);
}
