import { hash } from 'node:crypto';

/** PostgreSQL truncates longer names to this number of bytes. */
export const MAX_NAME_LENGTH = 63;
const HASH_LENGTH = 8;

export function shortName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const start = name.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1);
  return `${start}_${hash('sha256', name, 'hex').slice(0, HASH_LENGTH)}`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Keywords of PostgreSQL and SQLite that need quotes as names. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `add all alter analyse analyze and any array as asc asymmetric authorization autoincrement between bigint binary
  bit boolean both case cast char character check coalesce collate collation column commit concurrently constraint
  create cross current_catalog current_date current_role current_schema current_time current_timestamp
  current_user dec decimal default deferrable delete desc distinct do drop else end escape except exists extract
  false fetch float for foreign freeze from full grant greatest group grouping having if ilike in index initially
  inner inout insert int integer intersect interval into is isnull join lateral leading least left like limit
  localtime localtimestamp national natural nchar none normalize not nothing notnull null nullif numeric offset on
  only or order out outer overlaps overlay placing position precision primary raise real references returning
  right row select session_user set setof similar smallint some substring symmetric system_user table tablesample
  then time timestamp to trailing transaction treat trim true union unique update user using values varchar
  variadic verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces
  xmlparse xmlpi xmlroot xmlserialize xmltable`.split(/\s+/),
);

/** Quotes only keywords such as `order`, so that statements and printed migrations stay readable. */
export function sqlName(name: string): string {
  return KEYWORDS.has(name) ? quoted(name) : name;
}
