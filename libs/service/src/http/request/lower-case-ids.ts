import { lowerCaseUuid } from '@items/conventions';

import { isRowId } from '../../data/schema/row-id.js';

const MAY_SPELL_AN_ID_OTHERWISE = /^[^?A-F%]*[A-F%]/;
const UUID_LENGTH = 36;

/**
 * Lower-cases and unescapes the ids of a path, so that each resource has one path for access, idempotency and cursors.
 * SPEC §1
 */
export function lowerCaseIds(target: string): string {
  if (!MAY_SPELL_AN_ID_OTHERWISE.test(target)) return target;
  const query = target.indexOf('?');
  const end = query === -1 ? target.length : query;
  return target.slice(0, end).split('/').map(spelledAsId).join('/') + target.slice(end);
}

function spelledAsId(segment: string): string {
  if (segment.length < UUID_LENGTH) return segment;
  const id = lowerCaseUuid(decoded(segment));
  return isRowId(id) ? id : segment;
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
