import { InvalidRangeError } from '@items/conventions';
import type { ListRange, ListRules, SortKey } from './list-request.js';
import type { RangeBounds, RangeRule } from './range-rule.js';

type Parameters = ReadonlyMap<string, string>;

/** Check filters first: a filter of the same name takes precedence. */
export function isRangeParameter(name: string, rules: ListRules): boolean {
  const end = name.lastIndexOf('_');
  const rule = ruleOf(name.slice(0, end), rules);
  return rule?.ends.some((each) => each === name.slice(end + 1)) === true;
}

function ruleOf(field: string, { ranges = {} }: ListRules): RangeRule | undefined {
  return Object.hasOwn(ranges, field) ? ranges[field] : undefined;
}

/**
 * @returns Undefined if no parameter is a bound of the field.
 * @throws {InvalidQueryError} 400: a value of the wrong type.
 * @example parseRange('timestamp', timeRange, new Map([['timestamp_min', '2026-11-01T00:00:00Z']]));
 * // { min: 1793491200000 }
 */
export function parseRange(field: string, rule: RangeRule, parameters: Parameters): RangeBounds | undefined {
  let bounds: RangeBounds | undefined;
  for (const end of rule.ends) {
    const name = `${field}_${end}`;
    const text = parameters.get(name);
    if (text !== undefined) bounds = { ...bounds, ...rule.read(end, name, text) };
  }
  return bounds;
}

/**
 * @param parameters Of the request, without filters.
 * @throws {InvalidQueryError} 400: a value of the wrong type.
 * @throws {InvalidRangeError} 400: ranges on two fields, or not on the first field of `sort`.
 * @see SPEC §4.1
 */
export function parseListRange(
  parameters: Parameters,
  rules: ListRules,
  [first]: readonly SortKey[],
): ListRange | undefined {
  const found: ListRange[] = [];
  for (const [field, rule] of Object.entries(rules.ranges ?? {})) {
    const bounds = parseRange(field, rule, parameters);
    if (bounds !== undefined) found.push({ field, ...bounds });
  }
  const [range, other] = found;
  if (range === undefined) return undefined;
  const name = nameOf(range.field, rules, parameters);
  if (other !== undefined) {
    const names = `"${name}" and "${nameOf(other.field, rules, parameters)}"`;
    const sentence = `${names} are ranges on two fields: ask for one, on the first field of "sort".`;
    throw new InvalidRangeError(name, 'several_fields', sentence);
  }
  if (first === undefined || first.field === range.field) return range;
  const sorts = `"sort=${range.field}" or "sort=-${range.field}"`;
  throw new InvalidRangeError(name, 'other_sort', `"${name}" needs a list in the order of its field: use ${sorts}.`);
}

/** Returns the first range parameter of a field in the request; without one, the field's name. */
function nameOf(field: string, rules: ListRules, parameters: Parameters): string {
  const names = (ruleOf(field, rules)?.ends ?? []).map((end) => `${field}_${end}`);
  return names.find((name) => parameters.has(name)) ?? field;
}
