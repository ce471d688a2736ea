import { parentPort, workerData } from 'node:worker_threads';

import { type HealthAnswer, HealthBoard } from './health-board.js';
import { HealthServer } from './health-server.js';
import type { ThreadOptions, ThreadReport } from './serve-health.js';

/** Runs in the health thread, whose event loop responds even if the main thread is busy. */
const { headers, ...address } = workerData as ThreadOptions;
const board = new HealthBoard();
parentPort?.on('message', (answer: HealthAnswer) => {
  board.report(answer);
});
parentPort?.postMessage(await listen());

async function listen(): Promise<ThreadReport> {
  try {
    return { url: await new HealthServer(board, headers).listen(address) };
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    return { failure: { message, code, syscall } };
  }
}
