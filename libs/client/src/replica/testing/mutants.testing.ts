import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { build } from 'esbuild';

import type { Subject } from './simulation.testing.js';

/** A bug inserted into the replica, which the simulation must find. */
export interface Mutant {
  readonly title: string;
  /** Path in the folder of the replica; undefined if only the store is faulty. */
  readonly file?: string;
  /** Pairs of a text of the file and its replacement. */
  readonly edits?: readonly (readonly [string, string])[];
  readonly store?: Subject['store'];
}

const END_OF_FEED = `{ after } = await get((options) => feed.page({ type, sort: '-timestamp', limit: 1 }, options));`;
const END_OF_PAGES = '} while (next !== undefined);';

export const MUTANTS: readonly Mutant[] = [
  { title: 'the position is stored before the rows', store: 'position before rows' },
  {
    title: 'the walk comes before the position',
    file: 'load-and-follow.ts',
    edits: [
      [END_OF_FEED, 'after: string;'],
      [END_OF_PAGES, `${END_OF_PAGES} (${END_OF_FEED.replace(';', ');')}`],
    ],
  },
  {
    title: 'deletions are ignored',
    file: 'rows.ts',
    edits: [[`if (type.endsWith('.deleted')) latest.set(id, undefined);`, `if (type.endsWith('.deleted')) continue;`]],
  },
  {
    title: 'an expired position is ignored',
    file: 'load-and-follow.ts',
    edits: [[`position = '';`, `const ${END_OF_FEED} position = after;`]],
  },
  {
    title: 'a reload empties the copy first',
    file: 'load-and-follow.ts',
    edits: [['isLoading = true;', 'isLoading = true; state.forget();']],
  },
  {
    title: 'a reload publishes rows that have not changed',
    file: 'rows.ts',
    edits: [['textOf(known) !== textOf(row)', 'true']],
  },
  {
    title: 'an older event replaces a newer row',
    file: 'rows.ts',
    edits: [['if (now !== then) return now > then;', 'if (now !== then) return true;']],
  },
  {
    title: 'an event with the time of the row counts as later',
    file: 'rows.ts',
    edits: [['textOf({ ...object, ...previous }) === textOf(row)', 'true']],
  },
  {
    title: 'an event with the time of the row counts as earlier',
    file: 'rows.ts',
    edits: [['textOf({ ...object, ...previous }) === textOf(row)', 'false']],
  },
  { title: 'rows that a reload has removed come back', file: 'rows.ts', edits: [['!gone.has(id) && ', '']] },
  {
    title: 'a load that shows unlisted writes is never confirmed',
    file: 'load-and-follow.ts',
    edits: [['if (lastCursor === undefined || isBehind || !isListed) continue;', 'continue;']],
  },
  {
    title: 'a load is confirmed before the feed lists its writes',
    file: 'load-and-follow.ts',
    edits: [['asOfMs >= listedByMs', 'true']],
  },
  {
    title: 'an unconfirmed load counts as confirmed after a crash',
    file: 'load-and-follow.ts',
    edits: [['`${position} ${lastCursor}`', 'position']],
  },
  {
    title: 'the copy is published without being stored',
    file: 'create-replica.ts',
    edits: [['await keep(of, () => store.apply({ ...difference, position: next }), signal);', '']],
  },
];

/**
 * Builds the client with a mutant of its replica.
 * @throws {Error} The file no longer contains the text to replace.
 */
export async function mutated({ file, edits = [], store }: Mutant): Promise<Subject> {
  const folder = join(__dirname, '..');
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from '../index.ts'; export * from './index.ts';`,
      resolveDir: folder,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    conditions: ['@items/source'],
    plugins: [
      {
        name: 'mutant',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/replica\/[\w-]+\.ts$/ }, ({ path }) => {
            if (file === undefined || !path.endsWith(`/${file}`)) return undefined;
            let contents = readFileSync(path, 'utf8');
            for (const [from, to] of edits) {
              if (!contents.includes(from)) throw new Error(`${file} does not contain: ${from}`);
              contents = contents.replace(from, to);
            }
            return { contents, loader: 'ts' };
          }),
      },
    ],
  });
  const bundle = join(mkdtempSync(join(tmpdir(), 'mutant-')), 'bundle.cjs');
  writeFileSync(bundle, outputFiles[0]?.text ?? '');
  const { createClient, createReplica } = (await import(bundle)) as Subject;
  rmSync(dirname(bundle), { recursive: true });
  return { createClient, createReplica, ...(store !== undefined && { store }) };
}
