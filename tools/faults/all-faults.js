import { instanceFaults } from './rows/instances.js';
import { machineFaults } from './rows/machine.js';
import { networkFaults } from './rows/network.js';
import { postgresFaults } from './rows/postgres.js';
import { redisFaults } from './rows/redis.js';
import { rotations } from './rows/rotations.js';

/** Ordered as in the table. */
export const allFaults = [
  ...[...instanceFaults, ...postgresFaults, ...redisFaults, ...networkFaults, ...machineFaults],
  ...rotations,
];
