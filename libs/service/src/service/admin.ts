import type { CollectionDefinition, HasId } from '../data/definition/collection.js';
import { parseJson as readJson } from '../http/body/parse-json.js';
import { logTo } from '../runtime/logging/log.js';
import { operatorAudit } from '../runtime/logging/audit.js';
import { operations } from '../admin/operations.js';
import { runProgram } from '../admin/run-program.js';
import { wrongSetting } from '../admin/check/check.js';
import { type ImportRules, transferable } from '../admin/import-export/transferable.js';

import { allCollections } from './all-collections.js';
import { type Composition, permissionsOf, type ServiceOptions } from './composition/composition.js';
import type { Type } from '@nestjs/common';
import { isSetupOffered } from '../access/console/setup-token.js';
import { loadConfig, readEnvironment } from '../runtime/config/load-config.js';
import { ConfigError } from '../runtime/settings/config-error.js';
import { failStart } from '../runtime/supervision/fail-start.js';
import { compositionOf } from './process/composition-of.js';
import { schemaOf } from './schema.js';
import { transferableUsers } from '../admin/users/transferable-users.js';
import { userCollection } from '../access/users/user.collection.js';
import { userOperations } from '../admin/users/user-operations.js';

/** TypeScript cannot express "a collection of some type". The operations use no member that depends on the type. */
type OfAnyKind = CollectionDefinition<HasId, object>;

/**
 * Runs the command that `process.argv` names, on the configured database.
 * @example await runAdmin({ collections: [books] });
 */
export async function runAdmin(service: ServiceOptions | Composition | Type): Promise<void> {
  try {
    const { composition, settings = {} } = await compositionOf(service);
    const { argv, stderr } = process;
    const schema = schemaOf(composition);
    process.exitCode = await runProgram({ ...userOperations, ...operations }, argv.slice(2), process, (terminal) => {
      const config = loadConfig({ ...readEnvironment(), ...settings }, permissionsOf(composition));
      const { database, events } = config;
      const audit = operatorAudit(logTo(stderr));
      const own = composition.modules.map(({ collection, importRules }) => {
        const definition = collection as unknown as OfAnyKind;
        return transferable(definition, { parents: parentsOf(definition), ...importRules });
      });
      const collections = [...own, transferableUsers(audit)];
      const counted = allCollections(composition);
      const setupBaseUrl = config.console && isSetupOffered(config) ? config.baseUrl : undefined;
      return { ...terminal, config, database, events, setupBaseUrl, schema, audit, readJson, collections, counted };
    });
  } catch (error) {
    const [name, ...args] = process.argv.slice(2);
    if (name !== 'check' || !(error instanceof ConfigError)) failStart(error);
    process.stdout.write(`${wrongSetting(error.message, args)}\n`);
    process.exitCode = 2;
  }
}

/** Returns the parent collection: another one of the service, or the users. */
function parentsOf({ references = [] }: OfAnyKind): NonNullable<ImportRules['parents']> {
  return references.find(({ isParent }) => isParent)?.target() ?? userCollection;
}
