import type pg from 'pg';

export const ACQUIRE_TIMEOUT_MS = 2000;
export const STATEMENT_TIMEOUT_MS = 4000;
/** The server times out this much before this process. */
const SERVER_FIRST_MS = 100;
/** A stuck process must not hold locks forever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * With these settings, PostgreSQL plans a statement once per connection instead of per request (0.4 ms each).
 * PostgreSQL also ignores misleading statistics of new tables. One plan suffices, because each statement reads an index
 * in order.
 */
const SERVING: Readonly<Record<string, string>> = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};
/** Settings for migrations: no timeouts, even if the database role has some. */
const MIGRATING: Readonly<Record<string, string>> = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** Startup options of a connection. A pooler may refuse or drop them. */
export const SERVING_OPTIONS = startupOptions(SERVING);
export const MIGRATING_OPTIONS = startupOptions(MIGRATING);

/** Sent with BEGIN, because a pooler may run each transaction on another server connection. */
const BEGIN_SERVING = beginWith(SERVING);
export const BEGIN_MIGRATING = beginWith(MIGRATING);

/** Shortens the statement timeout if little time is left, so that the server cancels first. */
export function beginServing(settings: 'session' | 'transaction', leftMs: number): string {
  const begin = settings === 'transaction' ? BEGIN_SERVING : 'BEGIN';
  const longestMs = Math.max(1, Math.floor(leftMs) - SERVER_FIRST_MS);
  return longestMs < STATEMENT_TIMEOUT_MS ? `${begin}; SET LOCAL statement_timeout = ${String(longestMs)}` : begin;
}

export async function isSetToServe(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY ($1)',
    [Object.keys(SERVING)],
  );
  return rows.every(({ name, setting }) => SERVING[name] === setting);
}

function startupOptions(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

function beginWith(settings: Readonly<Record<string, string>>): string {
  return ['BEGIN', ...Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)].join('; ');
}
