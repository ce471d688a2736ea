export const BACKUP_SETTING = 'backup';

/** The latest backup that `npm run admin -- backup` has made and verified. */
export interface BackupRecord {
  /** Time of the state in the backup, in milliseconds since the epoch. */
  readonly madeAt: number;
  readonly file: string;
  readonly bytes: number;
}

export function backupRecord(
  rows: readonly { readonly name: string; readonly value: string }[],
): BackupRecord | undefined {
  const row = rows.find(({ name }) => name === BACKUP_SETTING);
  return row && (JSON.parse(row.value) as BackupRecord);
}
