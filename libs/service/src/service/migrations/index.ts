import { ServiceBaseline } from './1763000000080-baseline.js';
import { IssuersOfClients1763000000106 } from './1763000000106-issuers-of-clients.js';

/** Migrations that do not belong to the module of a collection, oldest first. */
export const migrations = [ServiceBaseline, IssuersOfClients1763000000106];
