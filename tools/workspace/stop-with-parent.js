/**
 * Stops this process when its parent ends, because the children of a killed process continue otherwise. The parent is
 * npm, or the process that restarted this script with another Node (`restartWithNode`).
 */
export function stopWithParent() {
  const stop = () => process.kill(process.pid, 'SIGTERM');
  if (process.channel) {
    process.once('disconnect', stop);
    process.channel.unref();
    return;
  }
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
}
