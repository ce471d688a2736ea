import { parseEntityTags } from '../conditional.js';

/** Stands between the tag of a state and the version in whose form the state is shown; no tag of ours has one. */
const SEPARATOR = ';';
/** Ends a tag that no state has. */
const OF_ANOTHER_FORM = `${SEPARATOR}-"`;

/**
 * The entity tag of a state as an older version tells it: the same state has another representation in each version, so
 * it has another strong tag. RFC 9110 §8.8.3
 */
export function tagOfVersion(etag: string, version: string): string {
  return etag.endsWith('"') ? `${etag.slice(0, -1)}${SEPARATOR}${version}"` : etag;
}

/**
 * The tags of an older version as the service knows them. A tag of another version names another representation, and
 * matches nothing. What is no list of tags stays as it is, and is refused as such.
 * @param value of `If-Match` or `If-None-Match`.
 */
export function tagsWithoutVersion(value: string, version: string): string {
  let tags: ReturnType<typeof parseEntityTags>;
  try {
    tags = parseEntityTags('If-Match', value);
  } catch {
    return value;
  }
  if (tags === '*') return value;
  const end = `${SEPARATOR}${version}"`;
  return tags
    .map((tag) => (tag.endsWith(end) ? `${tag.slice(0, -end.length)}"` : `${tag.slice(0, -1)}${OF_ANOTHER_FORM}`))
    .join(', ');
}
