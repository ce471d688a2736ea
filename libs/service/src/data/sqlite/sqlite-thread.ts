import { parentPort, workerData } from 'node:worker_threads';
import { Sqlite } from './sqlite.js';
import { codeOf } from '../database/error-codes.js';
import { SqliteConnection } from './sqlite-connection.js';
import type { SlowRequest, SlowReply, SlowThreadData } from './sqlite-slow-reader.js';
import { IN_TIME_FUNCTION } from '../database/too-slow.js';

const { file, busyTimeoutMs, pragmas } = workerData as SlowThreadData;
const connection = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
for (const pragma of pragmas) connection.pragma(pragma);
let deadlineMs = 0;
connection.function(IN_TIME_FUNCTION, () => {
  if (performance.now() > deadlineMs) throw new Error('The statement has taken too long.');
  return 1;
});
const reads = new SqliteConnection(connection);

parentPort?.on('message', ({ sql, params, leftMs }: SlowRequest) => {
  deadlineMs = performance.now() + leftMs;
  parentPort?.postMessage(reply(sql, params));
});

function reply(sql: string, params: SlowRequest['params']): SlowReply {
  try {
    return { rows: reads.values(sql, params) };
  } catch (error) {
    const isLate = performance.now() > deadlineMs;
    return { failure: { message: (error as Error).message, code: codeOf(error), isLate } };
  }
}
