import { CreateApiKeys1763000000004 } from './1763000000004-create-api-keys.js';
import { CreateUsers1763000000005 } from './1763000000005-create-users.js';
import { OwnApiKeys1763000000006 } from './1763000000006-own-api-keys.js';
import { CreateOauth1763000000020 } from './1763000000020-create-oauth.js';
import { CreateOrders1763000000030 } from './1763000000030-create-orders.js';
import { IndexAllOrders1763000000040 } from './1763000000040-index-all-orders.js';
import { CountOrdersByStatus1763000000041 } from './1763000000041-count-orders-by-status.js';
import { OneGrantAClient1763000000042 } from './1763000000042-one-grant-a-client.js';
import { KeysOfApplications1763000000043 } from './1763000000043-keys-of-applications.js';

/** Every migration that no collection's module brings, oldest first. */
export const migrations = [
  CreateApiKeys1763000000004,
  CreateUsers1763000000005,
  OwnApiKeys1763000000006,
  CreateOauth1763000000020,
  CreateOrders1763000000030,
  IndexAllOrders1763000000040,
  CountOrdersByStatus1763000000041,
  OneGrantAClient1763000000042,
  KeysOfApplications1763000000043,
];
