import { openSqliteFile } from '@items/testing';

const COLORS = '["red","green","blue","black","white","yellow","orange","violet"]';
/** Number of returned ids. */
const SAMPLE = 1000;

/**
 * Fills a migrated SQLite database, and updates the counters like the service.
 * @returns a sample of ids.
 */
export function seedItems(databaseUrl: string, count: number): string[] {
  const start = Date.now() - count;
  const file = openSqliteFile(databaseUrl);
  file.exec(`
    BEGIN;
    WITH RECURSIVE rows(n, at) AS (SELECT 0, ${start} UNION ALL SELECT n + 1, at + 1 FROM rows WHERE n < ${count - 1})
    INSERT INTO items (id, created_at, updated_at, lane, seq, name, description, color, price)
      SELECT printf('%08x-%04x-7000-8000-%012x', at >> 16, at & 65535, n), at, at, 0, n + 1,
        'Item ' || n, 'What item ' || n || ' is', json_extract('${COLORS}', '$[' || (n % 8) || ']'), n * 7919 % 100000
      FROM rows;
    UPDATE collection_lanes SET seq = ${count + 1}, n = ${count} WHERE collection = 'items';
    INSERT INTO collection_counts (collection, grp, lane, n)
      SELECT 'items', '[["color"],[' || json_quote(color) || ']]', 0, count(*) FROM items GROUP BY color;
    COMMIT`);
  file.close();
  return Array.from({ length: SAMPLE }, (_, n) => idAt(start, Math.floor((n * count) / SAMPLE)));
}

/** A UUIDv7. RFC 9562 §5.7 */
function idAt(start: number, n: number): string {
  const time = (start + n).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
}
