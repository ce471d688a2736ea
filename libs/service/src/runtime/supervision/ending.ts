import type { StopTimes } from '../../http/connections/shutdown.js';

/** The process exits within `limitMs`, even if the stop hangs. */
export interface EndingPlan {
  readonly times: StopTimes;
  readonly limitMs: number;
}

export interface EndingService {
  readonly stop: (times: StopTimes) => Promise<void>;
  readonly log: ProcessLog;
  readonly onSignal: EndingPlan;
  /** Usually shorter times than `onSignal`, because the state is unreliable after a fault. */
  readonly onFault: EndingPlan;
}

type Reason = 'onSignal' | 'onFault';

type Stopping = (reason: Reason) => { readonly stopped: Promise<void>; readonly limitMs: number };

const running = new Map<Stopping, ProcessLog>();
let isEnding = false;
let status = 0;

/**
 * Registers a service to be stopped on a signal or an uncaught exception. After an exception, the exit status is 1. All
 * services of the process share one set of listeners.
 * @returns a function that removes this service.
 */
export function endWithProcess({ stop, log, ...plans }: EndingService): () => void {
  const stopping: Stopping = (reason) => {
    const { times, limitMs } = plans[reason];
    return { stopped: stop(times), limitMs };
  };
  if (running.size === 0) {
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  }
  running.set(stopping, log);
  return () => {
    // A process that ends keeps its listeners: the terminal and npm may both send the signal, and the second signal
    // must not kill the process.
    if (isEnding || !running.delete(stopping) || running.size > 0) return;
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
    process.off('uncaughtException', onFault).off('unhandledRejection', onFault);
  };
}

function onSignal(): void {
  end('onSignal');
}

function onFault(fault: unknown): void {
  status = 1;
  const err = fault instanceof Error ? fault : new Error(`A value that is no Error was thrown: ${String(fault)}`);
  for (const log of new Set(running.values())) log.fatal({ err }, 'uncaught exception: the process ends');
  end('onFault');
}

function end(reason: Reason): void {
  if (isEnding && reason === 'onSignal') return;
  const wasEnding = isEnding;
  isEnding = true;
  const stops = [...running].map(([stopping, log]) => ({ ...stopping(reason), log }));
  setTimeout(() => process.exit(status), Math.max(...stops.map(({ limitMs }) => limitMs))).unref();
  if (wasEnding) return;
  const endings = stops.map(({ stopped, log }) =>
    stopped.catch((error: unknown) => {
      status = 1;
      log.fatal({ err: error }, 'graceful stop failed: the process exits with status 1');
    }),
  );
  void Promise.all(endings).then(() => process.exit(status));
}

interface ProcessLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  fatal(fields: object, message: string): void;
}
