import { CreateApiKeys1763000000004 } from './1763000000004-create-api-keys.js';
import { CreateUsers1763000000005 } from './1763000000005-create-users.js';
import { OwnApiKeys1763000000006 } from './1763000000006-own-api-keys.js';
import { CreateOauth1763000000020 } from './1763000000020-create-oauth.js';
import { OneGrantAClient1763000000042 } from './1763000000042-one-grant-a-client.js';
import { KeysOfApplications1763000000043 } from './1763000000043-keys-of-applications.js';
import { KeysEndWithApproval1763000000067 } from './1763000000067-keys-end-with-approval.js';
import { ClientsWithoutASecret1763000000070 } from './1763000000070-clients-without-a-secret.js';
import { IssuersOfClients1763000000106 } from './1763000000106-issuers-of-clients.js';
import { IdentitiesOfUsers1763000000080 } from './1763000000080-identities-of-users.js';

/** Migrations that do not belong to the module of a collection, oldest first. */
export const migrations = [
  CreateApiKeys1763000000004,
  CreateUsers1763000000005,
  OwnApiKeys1763000000006,
  CreateOauth1763000000020,
  OneGrantAClient1763000000042,
  KeysOfApplications1763000000043,
  KeysEndWithApproval1763000000067,
  ClientsWithoutASecret1763000000070,
  IdentitiesOfUsers1763000000080,
  IssuersOfClients1763000000106,
];
