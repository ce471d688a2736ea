import { isLongForm } from '@items/testing';

import { createClient } from '../index.js';
import { createReplica } from './index.js';
import { simulate } from './testing/simulation.testing.js';

const SEEDS = isLongForm ? 10_000 : 300;
/** `REPLICA_SEED=123` repeats a single simulation. */
const replayed = process.env['REPLICA_SEED'];
const seeds = replayed === undefined ? Array.from({ length: SEEDS }, (_, index) => index + 1) : [Number(replayed)];

describe('a replica among faults, crashes, expiry and restored backups', () => {
  it(`is right for ${String(seeds.length)} seeds`, async () => {
    for (const seed of seeds) {
      await simulate(seed, { createClient, createReplica }).catch((cause: unknown) => {
        throw new Error(`Seed ${String(seed)} fails (REPLICA_SEED=${String(seed)} replays it): ${String(cause)}`, {
          cause,
        });
      });
    }
  }, 1_800_000);
});
