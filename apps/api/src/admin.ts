import 'reflect-metadata';

import type { CollectionDefinition, Identified } from '@items/collections';
import { parseJson as readJson } from '@items/http';
import { logTo } from '@items/logging';
import { operatorAudit } from '@items/logging/nest';
import { operations, runProgram, transferable } from '@items/operations';

import * as modules from './collection-modules.js';
import { loadConfig } from './config/load-config.js';
import { readEnvironment } from './config/read-environment.js';
import { transferableOrders } from './orders/transferable-orders.js';
import { failStart } from './process/fail-start.js';
import { schema } from './schema.js';
import { transferableUsers } from './users/transferable-users.js';
import { userCollection } from './users/user.collection.js';
import { userOperations } from './users/administration/user-operations.js';

/** Each collection is of its own type, and what is done with it asks for none: TypeScript has no word for "of some type". */
type OfAnyKind = CollectionDefinition<Identified, object>;

try {
  const { argv, stderr } = process;
  process.exitCode = await runProgram({ ...userOperations, ...operations }, argv.slice(2), process, (hearers) => {
    const { database, events } = loadConfig(readEnvironment());
    const audit = operatorAudit(logTo(stderr));
    const own = Object.values(modules).map(({ collection }) =>
      transferable(collection as unknown as OfAnyKind, { parents: userCollection }),
    );
    const collections = [...own, transferableUsers(audit), transferableOrders];
    return { ...hearers, database, events, schema, audit, readJson, collections };
  });
} catch (error) {
  failStart(error);
}
