import { parseArgs } from 'node:util';
import { soak } from './soak/soak.ts';

/* `npm run tool -- soak`: checks that the service's live heap does not grow under a mixed load. */
const help = `npm run tool -- soak [-- --minutes 30] [-- --databases sqlite,postgres]

Loads an instance on each database concurrently, and measures the live heap after garbage collections. The first 30 % of the
time are a warm-up; over the rest, the live heap may grow by at most 2 MB. The exit status is 1 if it grows more, or if a
response was unexpected. With SOAK_LEAK=20000 the service leaks 20000 bytes a second, to see that the check notices.
`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) console.log(help);
else process.exit(await run(values.databases.split(','), Number(values.minutes)));

async function run(databases: readonly string[], minutes: number) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  const verdicts = await Promise.all(databases.map((database) => soak(database, minutes)));
  for (const { text } of verdicts) console.log(text);
  return verdicts.every(({ holds }) => holds) ? 0 : 1;
}
