import { type Operations } from '../operation.js';
import { PASSWORD_ARGS, withPassword } from '../session/with-password.js';

import { printSetupLink } from './print-setup-link.js';
import { AdminCommand } from './admin-command.js';

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
    run: withPassword(({ events, audit }, database, username, password) =>
      new AdminCommand(database, events, audit).create(username, password),
    ),
  },
  'reset-password': {
    args: PASSWORD_ARGS,
    purpose: 'gives a user another password in the same way',
    failure: 'The password was not changed',
    run: withPassword(({ events, audit }, database, username, password) =>
      new AdminCommand(database, events, audit).resetPassword(username, password),
    ),
  },
};
