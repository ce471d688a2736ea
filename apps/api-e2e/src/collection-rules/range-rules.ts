import type { CollectionUnderTest, Member } from './collection-under-test.js';
import { isString } from './sample-fields.js';
import { sortedMembers } from './sorted-members.js';

/** Length of the prefix that some sample texts share. */
const PREFIX_LENGTH = 8;

/** §4 Ranges, for every sortable field. */
export function rangeRules(collection: CollectionUnderTest): void {
  it.each(collection.spec.sortable)('§4 a range of %s: both ends included, null in none, either way', async (field) => {
    await collection.with(12, async ({ query, members }) => {
      const ids = new Set(members.map(({ id }) => id));
      const { asked, isWithin } = rangeOf(collection, field, members);
      const within = members.filter(isWithin);
      expect(within.length).toBeGreaterThan(0);
      for (const sort of [field, `-${field}`]) {
        const walked = await collection.walk(`${query}sort=${sort}&${asked}&limit=3`);
        expect(walked.filter(({ id }) => ids.has(id))).toEqual(sortedMembers(within, sort));
        expect(walked.every(isWithin)).toBe(true);
      }
    });
  });
}

/** A range that contains some of the members. */
function rangeOf(
  collection: CollectionUnderTest,
  field: string,
  members: readonly Member[],
): { readonly asked: string; readonly isWithin: (member: Member) => boolean } {
  const values = sortedMembers(members, field).flatMap(({ [field]: value }) => value ?? []);
  if (isString(collection.spec.fields[field])) {
    const prefix = [...(values[0] as string)].slice(0, PREFIX_LENGTH).join('');
    const isWithin = ({ [field]: value }: Member): boolean => typeof value === 'string' && value.startsWith(prefix);
    return { asked: `${field}_prefix=${encodeURIComponent(prefix)}`, isWithin };
  }
  // Times are compared as texts: in one format, they sort alike.
  const [low, high] = [values[1] as number, values.at(-3) as number];
  const isWithin = ({ [field]: value }: Member): boolean =>
    value !== null && (value as number) >= low && (value as number) <= high;
  return { asked: `${field}_min=${encodeURIComponent(low)}&${field}_max=${encodeURIComponent(high)}`, isWithin };
}
