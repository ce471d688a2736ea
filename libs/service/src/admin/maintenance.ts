import type { Database } from '../data/database/database.js';
import { readSetting, writeSetting } from '../data/database/settings.js';

import type { OperationContext } from './operation.js';
import { withDatabase } from './session/with-database.js';

const SETTING = 'maintenance';
const END = `DELETE FROM settings WHERE name = '${SETTING}'`;
const SECONDS = /^[1-9]\d{0,4}$/;

export async function readMaintenance(database: Database): Promise<number | undefined> {
  const value = await readSetting(database, SETTING);
  return value === undefined ? undefined : Number(value);
}

export function switchMaintenance(context: OperationContext, args: readonly string[]): Promise<string> | undefined {
  const [word, seconds = '', ...more] = args;
  if (word === 'off' && args.length === 1) return write(context, undefined);
  return word === 'on' && SECONDS.test(seconds) && more.length === 0 ? write(context, seconds) : undefined;
}

async function write(context: OperationContext, seconds: string | undefined): Promise<string> {
  await withDatabase(context, (database) =>
    database.transaction(async (tx) => {
      if (seconds === undefined) await tx.query(END);
      else await writeSetting(tx, SETTING, seconds);
    }),
  );
  if (seconds === undefined) {
    context.audit('maintenance_ended', null);
    return 'Maintenance is over: within 5 seconds every instance serves requests again.';
  }
  context.audit('maintenance_begun', null, { retry_after: Number(seconds) });
  return `Maintenance is on: within 5 seconds every instance responds with 503 and Retry-After: ${seconds}.`;
}
