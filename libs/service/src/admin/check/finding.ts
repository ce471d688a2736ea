/** Levels in rising order. The index of the worst level is the exit status of `npm run admin -- check`. */
export const LEVELS = ['ok', 'warning', 'error'] as const;

export type Level = (typeof LEVELS)[number];

export interface Finding {
  readonly level: Level;
  readonly message: string;
  readonly advice: string | null;
}

export function ok(message: string): Finding {
  return { level: 'ok', message, advice: null };
}

export function warning(message: string, advice: string): Finding {
  return { level: 'warning', message, advice };
}

export function failure(message: string, advice: string): Finding {
  return { level: 'error', message, advice };
}

export function worst(levels: readonly Level[]): Level {
  return LEVELS[Math.max(0, ...levels.map((level) => LEVELS.indexOf(level)))] ?? 'ok';
}

export function formatCount(count: number, unit: string): string {
  return `${String(count)} ${unit}${count === 1 ? '' : 's'}`;
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1);
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${String(BYTE_UNITS[power])}`;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

export function formatDuration(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  return hours < 2 * DAY_HOURS ? formatCount(hours, 'hour') : formatCount(Math.floor(hours / DAY_HOURS), 'day');
}
