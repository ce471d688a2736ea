const running = new Set<() => Promise<void>>();

function onSignal(): void {
  void Promise.allSettled([...running].map((stop) => stop())).then((ends) =>
    process.exit(ends.some(({ status }) => status === 'rejected') ? 1 : 0),
  );
}

/**
 * Lets SIGTERM and SIGINT stop all services of this process, and then exit. @returns a function that removes this
 * service.
 */
export function stopOnSignals(stop: () => Promise<void>): () => void {
  if (running.size === 0) process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  running.add(stop);
  return () => {
    if (running.delete(stop) && running.size === 0) process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
  };
}
