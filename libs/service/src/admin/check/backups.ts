import { existsSync, statSync } from 'node:fs';

import { backupRecord } from '../../runtime/instances/backup-record.js';
import type { CheckedDatabase } from './checked-database.js';
import { failure, type Finding, formatBytes, formatDuration, ok, warning } from './finding.js';

const HOUR_MS = 3_600_000;
/** A day, plus 2 h because a backup may take longer than the previous one. */
const OLD_MS = 26 * HOUR_MS;
const TOO_OLD_MS = 8 * 24 * HOUR_MS;
const ADVICE = 'Run npm run admin -- backup FILE every night.';
const ARCHIVED = `SELECT extract(epoch FROM last_archived_time) AS at, last_failed_time > last_archived_time AS failing
  FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'`;

export async function checkBackup(database: CheckedDatabase): Promise<Finding> {
  const { settings, nowMs } = database;
  const archived = await archivedUpTo(database);
  if (archived?.failing === true)
    return failure('PostgreSQL cannot archive its WAL', 'Read its log: archive_command fails, and the disk fills.');
  const backup = backupRecord(settings);
  if (backup === undefined)
    return archived === undefined
      ? warning('none was made by npm run admin -- backup', ADVICE)
      : ok(
          `PostgreSQL archives its WAL, last ${formatDuration(nowMs - archived.atMs)} ago; base backups are not seen from here`,
        );
  const { file, bytes, madeAt } = backup;
  const said = `${file} of ${new Date(madeAt).toISOString()}, ${formatBytes(bytes)}`;
  if (existsSync(file) && statSync(file).size !== bytes)
    return failure(
      `${said}: the file has ${formatBytes(statSync(file).size)} now`,
      'The file was changed: make another backup.',
    );
  const age = nowMs - madeAt;
  const message = `${said}, ${formatDuration(age)} old${existsSync(file) ? '' : '; the file is not on this machine'}`;
  if (age > TOO_OLD_MS) return failure(message, ADVICE);
  return age > OLD_MS ? warning(message, ADVICE) : ok(message);
}

async function archivedUpTo({
  config,
  query,
}: CheckedDatabase): Promise<{ atMs: number; failing: boolean } | undefined> {
  const [row] = config.database.dialect === 'sqlite' ? [] : await query(ARCHIVED);
  if (row === undefined || row['at'] === null) return undefined;
  return { atMs: Number(row['at']) * 1000, failing: row['failing'] === 't' || row['failing'] === 'true' };
}
