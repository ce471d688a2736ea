import { compareCodePoints } from '../model/item-list.js';
import type { Member } from './collection-under-test.js';

/** Sorts by §4. @param members in order of creation. @param sort one key: `-price`; empty for none. */
export function sortedMembers(members: readonly Member[], sort: string): Member[] {
  const field = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return [...members].sort((a, b) => {
    const [left, right] = [a[field] ?? null, b[field] ?? null];
    if (field === '' || left === right) return compareCodePoints(a.id, b.id);
    if (left === null || right === null) return left === null ? 1 : -1;
    return sign * (typeof left === 'number' ? left - Number(right) : compareCodePoints(text(left), text(right)));
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
