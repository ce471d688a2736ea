/**
 * Loaded into a server with `node --import`. Responds to the message `use` with the CPU time and memory of the process.
 */
process.on('message', (message) => {
  if (message !== 'use') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() });
});
// Exit when the benchmark is interrupted.
process.on('disconnect', () => process.exit());
// The channel must not keep the process alive: the server decides when it ends.
process.channel?.unref();
