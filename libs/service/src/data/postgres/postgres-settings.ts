import type pg from 'pg';

/** Longest wait of a request for a free connection, in milliseconds. */
export const ACQUIRE_TIMEOUT_MS = 2000;
/** Longest statement, in milliseconds. */
export const STATEMENT_TIMEOUT_MS = 4000;
/** The server ends a statement so long before this process gives up on it. */
const SERVER_FIRST_MS = 100;
/** Longest pause within a transaction, in milliseconds: a stuck process must not hold a lane. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/**
 * What a connection that serves requests is set to. Every statement of the service has an index that serves it in order,
 * whatever its parameters are. So a plan is made once a connection, instead of anew for each request (0.4 ms), and is not
 * led astray by statistics of a young table.
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
/** What a connection that migrates is set to: it may take its time, whatever its role is set to. */
const MIGRATING: Readonly<Record<string, string>> = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

/** Sent when a connection is opened, once for all its statements. A pooler may refuse it, or leave it out. */
export const SERVING_OPTIONS = startupOptions(SERVING);
export const MIGRATING_OPTIONS = startupOptions(MIGRATING);

/** Sent when a transaction begins, through a pooler. */
const BEGIN_SERVING = beginWith(SERVING);
export const BEGIN_MIGRATING = beginWith(MIGRATING);

/**
 * Begins a transaction. Where little time is left, the server ends a statement before this process gives up on it.
 * @param settings whether connections are set to serve, or each transaction has to be.
 */
export function beginServing(settings: 'session' | 'transaction', leftMs: number): string {
  const begin = settings === 'transaction' ? BEGIN_SERVING : 'BEGIN';
  const longestMs = Math.max(1, Math.floor(leftMs) - SERVER_FIRST_MS);
  return longestMs < STATEMENT_TIMEOUT_MS ? `${begin}; SET LOCAL statement_timeout = ${String(longestMs)}` : begin;
}

/** Whether new connections are set so already: by their start, or by their role. */
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
