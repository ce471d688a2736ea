#!/usr/bin/env node
import { main } from './cli/main.js';

const interrupted = new AbortController();
// The first signal lets the run delete its resources; the second one exits immediately.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(2);
    interrupted.abort();
  });
}

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTty: process.stderr.isTTY,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  stepSummary: process.env['GITHUB_STEP_SUMMARY'],
  signal: interrupted.signal,
});
