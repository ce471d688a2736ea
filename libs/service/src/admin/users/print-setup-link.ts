import { hasUsers, makeSetupToken, setupLink } from '../../access/console/setup-token.js';
import { openDatabase } from '../../data/opening/open-database.js';
import type { OperationContext } from '../operation.js';
import { OperationError } from '../session/operation-error.js';

/**
 * Creates a link for the first administrator. An earlier link ends.
 * @throws {OperationError} a user exists, or the service offers no such link.
 */
export async function printSetupLink({
  database: config,
  schema,
  setupBaseUrl,
  audit,
}: OperationContext): Promise<string> {
  if (setupBaseUrl === undefined) {
    throw new OperationError(
      'The service takes no setup link: CONSOLE is off, ADMIN_API_KEY is set, or people log in without passwords. ' +
        'Create an administrator with: npm run admin -- create <username>',
    );
  }
  const database = await openDatabase(config, schema);
  try {
    const token = await database.transaction(async (tx) => {
      if (await hasUsers(tx)) throw new OperationError('A user exists already, so there is nothing to set up.');
      return makeSetupToken(tx);
    });
    audit('setup_link_made', null);
    return `Create the first administrator (once, within 24 hours): ${setupLink(setupBaseUrl, token)}`;
  } finally {
    await database.close();
  }
}
