import { openDatabase } from '../data/opening/open-database.js';
import type { Database } from '../data/database/database.js';

import type { OperationContext } from './operation.js';

const READ = "SELECT value FROM settings WHERE name = 'maintenance'";
const SET = `INSERT INTO settings (name, value) VALUES ('maintenance', $1)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
const END = "DELETE FROM settings WHERE name = 'maintenance'";
const SECONDS = /^[1-9]\d{0,4}$/;

export async function readMaintenance(database: Database): Promise<number | undefined> {
  const [row] = await database.query<{ value: string }>(READ);
  return row === undefined ? undefined : Number(row.value);
}

/** @returns a sentence for the operator; undefined if the arguments are wrong. */
export function switchMaintenance(context: OperationContext, args: readonly string[]): Promise<string> | undefined {
  const [word, seconds = '', ...more] = args;
  if (word === 'off' && args.length === 1) return write(context, undefined);
  return word === 'on' && SECONDS.test(seconds) && more.length === 0 ? write(context, seconds) : undefined;
}

async function write(
  { database: config, schema, audit }: OperationContext,
  seconds: string | undefined,
): Promise<string> {
  const database = await openDatabase(config, schema);
  try {
    await database.transaction((tx) => (seconds === undefined ? tx.query(END) : tx.query(SET, [seconds])));
  } finally {
    await database.close();
  }
  if (seconds === undefined) audit('maintenance_ended', null);
  else audit('maintenance_begun', null, { retry_after: Number(seconds) });
  return seconds === undefined
    ? 'Maintenance is over: within 5 seconds every instance answers again.'
    : `Maintenance is on: within 5 seconds every instance answers 503, and says to come again after ${seconds} seconds.`;
}
