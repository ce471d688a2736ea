/** Name of the setting with the latest successful backup. */
export const BACKUP_SETTING = 'backup';

/** The latest backup that `npm run admin -- backup` has made and read through. */
export interface BackupRecord {
  /** Moment of the data, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** Absolute path on the machine of the command. */
  readonly file: string;
  readonly bytes: number;
}

/** @param rows of the table `settings`. */
export function backupRecord(
  rows: readonly { readonly name: string; readonly value: string }[],
): BackupRecord | undefined {
  const row = rows.find(({ name }) => name === BACKUP_SETTING);
  return row && (JSON.parse(row.value) as BackupRecord);
}
