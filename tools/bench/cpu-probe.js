/** Loaded before a server (`node --import`): at `use` it tells what the process has used so far. */
process.on('message', (message) => {
  if (message !== 'use') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() });
});
// Where who measures is interrupted, nothing is left behind.
process.on('disconnect', () => process.exit());
// The question keeps nothing alive: the server decides when it ends.
process.channel?.unref();
