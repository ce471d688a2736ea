import { CreateItems1763000000001 } from './1763000000001-create-items.js';
import { IndexItems1763000000002 } from './1763000000002-index-items.js';
import { VersionItems1763000000003 } from './1763000000003-version-items.js';
import { CreateApiKeys1763000000004 } from './1763000000004-create-api-keys.js';
import { CreateUsers1763000000005 } from './1763000000005-create-users.js';
import { OwnApiKeys1763000000006 } from './1763000000006-own-api-keys.js';
import { CreateOauth1763000000020 } from './1763000000020-create-oauth.js';
import { CreateOrders1763000000030 } from './1763000000030-create-orders.js';

/** Every migration, oldest first. */
export const migrations = [
  CreateItems1763000000001,
  IndexItems1763000000002,
  VersionItems1763000000003,
  CreateApiKeys1763000000004,
  CreateUsers1763000000005,
  OwnApiKeys1763000000006,
  CreateOauth1763000000020,
  CreateOrders1763000000030,
];
