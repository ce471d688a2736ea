import { setTimeout as sleep } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import type { Cluster } from '@items/testing';

/** The proxy uses a restarted instance again after this time (`inter 2s rise 2`). */
const USED_AGAIN_MS = 5_000;

interface Command {
  what: string;
  run: (cluster: Cluster) => Promise<string>;
}

/** Faults of docs/faults.md that can be caused on a cluster, by the names of their tests. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  'rolling-restart': {
    what: 'restarts both instances one after another',
    run: async ({ instances }) => {
      for (const { program, startAgain } of instances) {
        await program.end();
        await startAgain();
        await sleep(USED_AGAIN_MS);
      }
      return 'Both instances were restarted.';
    },
  },
  'instance-killed': {
    what: 'kill -9 of the first instance, which starts again 3 s later',
    run: ({ instances: [first] }) => killed(first.program, 3_000, () => first.startAgain()),
  },
  'instance-paused': {
    what: 'SIGSTOP of the first instance for 40 s',
    run: async ({ instances: [first] }) => {
      first.program.signal('SIGSTOP');
      await sleep(40_000);
      first.program.signal('SIGCONT');
      return 'The first instance goes on.';
    },
  },
  'primary-killed': {
    what: 'kill -9 of the primary; the standby is promoted 2 s later',
    run: async ({ primary, standby }) => {
      await primary.kill();
      await sleep(2_000);
      await standby.promote();
      return 'The standby is the primary now; there is no standby any more.';
    },
  },
  'standby-killed': {
    what: 'kill -9 of the synchronous standby, which starts again 8 s later',
    run: ({ standby }) => killed(standby, 8_000, () => standby.startAgain()),
  },
  'redis-killed': {
    what: 'kill -9 of Redis, which starts again, empty, 5 s later',
    run: ({ redis }) => killed(redis.program, 5_000, () => redis.startAgain()),
  },
};

async function killed(program: { kill: () => Promise<void> }, afterMs: number, startAgain: () => Promise<void>) {
  await program.kill();
  await sleep(afterMs);
  await startAgain();
  return 'It runs again.';
}

export function commandLines() {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  return Object.entries(COMMANDS).map(([name, { what }]) => `  ${name.padEnd(width)}  ${what}`);
}

export async function runCommands(cluster: Cluster, input: NodeJS.ReadableStream, say: (line: string) => void) {
  for await (const line of createInterface({ input })) {
    const name = line.trim();
    if (name === '') continue;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) {
      say(`There is no command "${name}":\n${commandLines().join('\n')}`);
      continue;
    }
    say(`${name}: ${command.what} …`);
    await command.run(cluster).then(say, (error) => say(error instanceof Error ? error.message : String(error)));
  }
}
