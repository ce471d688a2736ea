import { StoreAnnouncedWalks1000000000005 } from './store-announced-walks.js';
import { EventClocks1000000000002 } from './event-clocks.js';
import { StoreEpochs1000000000001 } from './store-epochs.js';
import { StoreGuards1000000000003 } from './store-guards.js';
import { StoreLighterGuards1000000000004 } from './store-lighter-guards.js';
import { OrderedClocks1000000000006 } from './ordered-clocks.js';
import { StoreTables1000000000000 } from './store-tables.js';

export const storeMigrations = [
  StoreTables1000000000000,
  StoreEpochs1000000000001,
  EventClocks1000000000002,
  StoreGuards1000000000003,
  StoreLighterGuards1000000000004,
  StoreAnnouncedWalks1000000000005,
  OrderedClocks1000000000006,
];
