import type { Operations, OperationContext } from '../operation.js';
import { PASSWORD_ARGS, withPassword } from '../session/with-password.js';
import { createAdministrator, resetPassword } from './administrators.js';
import { hasUsers, makeSetupToken, setupLink } from '../../access/console/setup-token.js';
import { withDatabase } from '../session/with-database.js';
import { OperationError } from '../session/operation-error.js';

export const userOperations: Operations = {
  'setup-link': {
    args: '',
    purpose: 'prints a link for the first administrator, while there is no user',
    failure: 'There is no link',
    run: (context, args) => (args.length > 0 ? undefined : printSetupLink(context)),
  },
  create: {
    args: PASSWORD_ARGS,
    purpose: 'makes an enabled administrator; asks for the password, reads it, or generates one',
    failure: 'The administrator was not made',
    run: withPassword(createAdministrator),
  },
  'reset-password': {
    args: PASSWORD_ARGS,
    purpose: 'gives a user another password in the same way',
    failure: 'The password was not changed',
    run: withPassword(resetPassword),
  },
};

/**
 * Creates a link for the first administrator. Earlier links become invalid.
 * @throws {OperationError} a user exists, or the service offers no such link.
 */
async function printSetupLink(context: OperationContext): Promise<string> {
  const { setupBaseUrl, audit } = context;
  if (setupBaseUrl === undefined) {
    throw new OperationError(
      'The service takes no setup link: CONSOLE is off, ADMIN_API_KEY is set, or people log in without passwords. ' +
        'Create an administrator with: npm run admin -- create <username>',
    );
  }
  const token = await withDatabase(context, (database) =>
    database.transaction(async (tx) => {
      if (await hasUsers(tx)) throw new OperationError('A user exists already, so there is nothing to set up.');
      return makeSetupToken(tx);
    }),
  );
  audit('setup_link_made', null);
  return `Create the first administrator (once, within 24 hours): ${setupLink(setupBaseUrl, token)}`;
}
