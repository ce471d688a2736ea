import { setTimeout as sleep } from 'node:timers/promises';

import { ExpiredCursorError } from '@items/conventions';
import { FragileLink, hasPostgresPrograms, StreamingPair } from '@items/testing';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import type { Database } from '../database/database.js';
import { databaseAt } from '../testing/database-url.testing.js';
import { openDatabase } from '../opening/open-database.js';
import { NO_LOG } from '../outages/store-log.js';
import { openStandbyReads } from './open-standby-reads.js';
import type { StandbyReads } from './standby-reads.js';
import type { WritePositions } from './write-positions.js';

if (!hasPostgresPrograms) process.stderr.write('SKIPPED: reads from a standby: there are no programs of PostgreSQL.\n');

const VALUE = "SELECT value FROM settings WHERE name = 'a'";
const SET =
  "INSERT INTO settings (name, value) VALUES ('a', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
/** Longer than the permitted lag of the standby and the time to notice it. */
const NOTICED_MS = 1600;

/** Knows positions immediately, and can lose them. */
class KnownPositions implements WritePositions {
  readonly recorded = new Map<string, string>();
  isAway = false;

  record(caller: string, position: string): Promise<boolean> {
    if (!this.isAway) this.recorded.set(caller, position);
    return Promise.resolve(!this.isAway);
  }

  latest(caller: string): Promise<string | undefined> {
    return Promise.resolve(this.isAway ? undefined : (this.recorded.get(caller) ?? ''));
  }
}

(hasPostgresPrograms ? describe : describe.skip)('Reads from a standby', () => {
  let pair: StreamingPair;
  let link: FragileLink;
  let primary: Database;
  let standbyReads: StandbyReads;
  let positions: KnownPositions;
  const lines: string[] = [];
  const log = { ...NO_LOG, warn: (_: object, line: string) => void lines.push(line) };

  /** Returns the server that responded, and its result. */
  async function read(caller: string): Promise<{ from: 'primary' | 'standby'; value: string | undefined }> {
    return standbyReads.read(caller, async (database) => {
      const [row] = await database.query<{ value: string }>(VALUE);
      return { from: database === primary ? 'primary' : 'standby', value: row?.value };
    });
  }
  async function write(caller: string, value: string): Promise<void> {
    await primary.transaction((tx) => tx.query(SET, [value]));
    await standbyReads.recordPosition(caller);
  }
  async function untilReadFrom(side: 'primary' | 'standby', caller = 'nobody'): Promise<void> {
    const endMs = performance.now() + 20_000;
    while ((await read(caller)).from !== side) {
      if (performance.now() > endMs) throw new Error(`The ${side} does not answer: ${lines.join('; ')}`);
      await sleep(20);
    }
  }

  beforeEach(async () => {
    pair = await StreamingPair.start();
    lines.length = 0;
    const { hostname, port } = new URL(pair.standby.url);
    link = await FragileLink.to(hostname, Number(port));
    primary = await openDatabase(databaseAt(pair.primary.url), EMPTY_SCHEMA);
    positions = new KnownPositions();
    const url = pair.standby.url.replace(port, String(link.port));
    standbyReads = openStandbyReads(primary, { url, positions }, log) as StandbyReads;
    await write('first', 'first');
    await untilReadFrom('standby');
  });
  afterEach(async () => {
    await standbyReads.close();
    await primary.close();
    await link.close();
    await pair.stop();
  });

  it('show the writes of their caller before the standby has replayed them', async () => {
    await pair.pause();
    await write('ann', 'hers');
    expect(await read('ann')).toEqual({ from: 'primary', value: 'hers' });
    expect(await read('bob')).toEqual({ from: 'standby', value: 'first' });
    expect(standbyReads.use.reads).toMatchObject({ own_write: 1, repeated: 0 });
    await pair.resume();
    await untilReadFrom('standby', 'ann');
    expect(await read('ann')).toEqual({ from: 'standby', value: 'hers' });
  });

  it('are counted by outcome, with the lag of each standby', async () => {
    const { reads, standbys } = standbyReads.use;
    expect(standbys).toEqual([
      { name: expect.stringMatching(/^127\.0\.0\.1:\d+$/), isRead: true, lagSeconds: expect.any(Number) },
    ]);
    expect(standbys[0]?.lagSeconds).toBeLessThan(1);
    const { standby, lagging, position_unknown: unknown } = reads;
    await read('bob');
    expect(standbyReads.use.reads).toMatchObject({ standby: standby + 1, lagging });
    positions.isAway = true;
    await read('bob');
    expect(standbyReads.use.reads).toMatchObject({ position_unknown: unknown + 1, lagging });
    link.cut();
    await untilReadFrom('primary');
    positions.isAway = false;
    await sleep(NOTICED_MS);
    await read('bob');
    expect(standbyReads.use.reads.lagging).toBeGreaterThan(lagging);
    expect(standbyReads.use.standbys).toMatchObject([{ isRead: false, lagSeconds: undefined }]);
  });

  it('go to the primary if the standby is more than a second behind', async () => {
    await pair.pause();
    await write('ann', 'hers');
    await sleep(NOTICED_MS);
    expect(await read('bob')).toEqual({ from: 'primary', value: 'hers' });
    expect(lines).toEqual([
      expect.stringMatching(/^The standby 127\.0\.0\.1:\d+ is not read; the primary serves its reads$/),
    ]);
    await pair.resume();
    await untilReadFrom('standby');
  });

  it('go to the primary after a standby was killed, even during a read, and return when it has caught up', async () => {
    const slow = standbyReads.read('bob', async (database) => {
      await database.query('SELECT pg_sleep(3)');
      return database === primary;
    });
    await sleep(300);
    await pair.standby.kill();
    expect(await read('bob')).toEqual({ from: 'primary', value: 'first' });
    expect(await slow).toBe(true);
    await write('ann', 'later');
    await pair.standby.start();
    for (let reads = 0; reads < 50; reads += 1) {
      expect(await read('ann')).toMatchObject({ value: 'later' });
      await sleep(10);
    }
    await untilReadFrom('standby', 'ann');
  });

  it('go to the primary if the standby hangs', async () => {
    await untilReadFrom('standby', 'bob');
    const hanging = standbyReads.read('bob', async (database) => {
      if (database !== primary) link.freeze();
      await database.query(VALUE);
      return database === primary;
    });
    expect(await hanging).toBe(true);
    expect(await read('bob')).toMatchObject({ from: 'primary' });
    link.restore();
    await untilReadFrom('standby');
  });

  it('avoid a standby that was promoted and diverged', async () => {
    await pair.promote();
    await write('ann', 'hers');
    await sleep(NOTICED_MS);
    for (let reads = 0; reads < 10; reads += 1) expect(await read('bob')).toEqual({ from: 'primary', value: 'hers' });
  });

  it('avoid a server with another mark, even if its WAL is longer', async () => {
    await primary.transaction((tx) => tx.query("UPDATE settings SET value = 'ffffffff-x' WHERE name = 'timeline'"));
    await pair.caughtUp();
    await sleep(NOTICED_MS);
    // The timeline has a new mark with another name, and the epoch has ended.
    await untilReadFrom('standby');
    const [marked] = await primary.query<{ value: string }>("SELECT value FROM settings WHERE name = 'timeline'");
    expect(marked?.value).toMatch(/^00000001-[0-9a-f]{12}$/);
  });

  it('go to the primary while the writes of the caller are unknown', async () => {
    positions.isAway = true;
    expect(await read('bob')).toMatchObject({ from: 'primary' });
  });

  it('see a write whose position could not be shared with other instances', async () => {
    await pair.pause();
    positions.isAway = true;
    setTimeout(() => void pair.resume(), 400);
    await write('ann', 'hers');
    positions.isAway = false;
    expect(await read('ann')).toMatchObject({ value: 'hers' });
  });

  it('go to the primary if the position of the standby is unknown, and the log has the reason', async () => {
    await primary.transaction((tx) => tx.query('ALTER TABLE settings RENAME COLUMN value TO hidden'));
    await sleep(NOTICED_MS);
    expect(await standbyReads.read('bob', (database) => database === primary)).toBe(true);
    expect(lines).toEqual([expect.stringMatching(/is not read; the primary serves its reads$/)]);
    await primary.transaction((tx) => tx.query('ALTER TABLE settings RENAME COLUMN hidden TO value'));
    await untilReadFrom('standby');
  });

  it('wait for a commit that a standby shows before the primary does', async () => {
    positions.isAway = true;
    let reads = 0;
    const read = standbyReads.read('bob', () => {
      reads += 1;
      if (reads < 3) throw new ExpiredCursorError();
      return reads;
    });
    expect(await read).toBe(3);
    const expired = standbyReads.read('bob', () => Promise.reject(new ExpiredCursorError()));
    await expect(expired).rejects.toBeInstanceOf(ExpiredCursorError);
  });

  it('do not prevent a start without a standby', async () => {
    const alone = openStandbyReads(primary, { url: 'postgres://x@127.0.0.1:1/x', positions }, log) as StandbyReads;
    expect(await alone.read('ann', (database) => database === primary)).toBe(true);
    await alone.close();
  });
});
