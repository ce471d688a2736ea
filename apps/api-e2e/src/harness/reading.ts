import type { Item } from '@items/dtos/contract';
import type { CursorPage, ErrorBody, OffsetPage } from '@items/conventions';
import type { Answer } from '@items/testing';

/** Fails with the response if it has another status. */
export function expectStatus(answer: Answer, ...statuses: readonly number[]): void {
  const said = statuses.includes(answer.status) ? undefined : answer.text.slice(0, 500);
  expect([answer.status, said]).toEqual([statuses.includes(answer.status) ? answer.status : statuses[0], undefined]);
}

export function itemOf(answer: Answer, status = 200): Item {
  expectStatus(answer, status);
  return answer.json() as Item;
}

export function errorOf(answer: Answer, status: number): ErrorBody {
  expectStatus(answer, status);
  return answer.json() as ErrorBody;
}

/** Returns the sorted names of the fields in an error, without duplicates. */
export function fieldsOf(error: ErrorBody): string[] {
  return [...new Set((error.details ?? []).map((detail) => detail.field))].sort();
}

export function offsetPageOf(answer: Answer): OffsetPage<'items', Item> {
  expectStatus(answer, 200);
  return answer.json() as OffsetPage<'items', Item>;
}

export function cursorPageOf(answer: Answer): CursorPage<'items', Item> {
  expectStatus(answer, 200);
  return answer.json() as CursorPage<'items', Item>;
}
