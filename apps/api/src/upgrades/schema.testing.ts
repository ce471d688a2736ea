import type { Database } from '@items/service/store';

const SQLITE = `SELECT 'COLUMN ' || m.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk
    || ' ' || coalesce(c.dflt_value, '') AS line
    FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
  UNION ALL SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL
  UNION ALL SELECT DISTINCT 'CLOCKS ' || collection || ' ' || lane FROM collection_lanes`;
/** Matches partitions of days, which depend on the time of the start. */
const OF_DAY = String.raw`~ '^(events|deliveries)_\d+'`;
const POSTGRES = `SELECT format('COLUMN %s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default,
      collation_name) AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND NOT table_name ${OF_DAY}
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND NOT tablename ${OF_DAY}
  UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype <> 'n' AND connamespace = 'public'::regnamespace AND NOT conrelid::regclass::text ${OF_DAY}
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal AND NOT tgrelid::regclass::text ${OF_DAY}
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT inhparent::regclass || ' ' || inhrelid::regclass FROM pg_inherits
    WHERE NOT inhrelid::regclass::text ${OF_DAY}
  UNION ALL SELECT 'SETTINGS ' || relname || ' ' || reloptions::text FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
  UNION ALL SELECT 'CLOCKS ' || collection || ' ' || lane FROM collection_lanes`;

/** Lists the columns, indexes, constraints, triggers, functions and clocks of a database, in one order. */
export async function schemaOf(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ line: string }>(database.dialect === 'postgres' ? POSTGRES : SQLITE);
  return rows.map(({ line }) => line.replaceAll(/\s+/g, ' ')).sort();
}
