import type { User } from '@items/dtos/contract';
import type { SetupDto } from '@items/dtos';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Database } from '../../data/database/database.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Audit } from '../../runtime/logging/audit.js';
import { Maintenance } from '../../runtime/maintenance/maintenance-gate.js';
import { AdminKey } from '../auth/admin-key.js';
import { printNotice } from '../auth/print-notice.js';
import { LoginFailures } from '../credentials/logins/login-failures.js';
import type { ChangeSource } from '../principal/request-principal.js';
import { FirstAdministratorService } from '../users/first-administrator.service.js';
import { SetupDoneError, wrongSetupToken } from './setup-errors.js';
import { findSetupToken, hasUsers, isSetupOffered, makeSetupToken, setupLink, takeSetupToken } from './setup-token.js';

/** Account name under which failures are counted. Usernames contain no space. */
const ACCOUNT = 'console setup';

/** Creates the first administrator through the link that the first start prints. */
@Injectable()
export class SetupService implements OnApplicationBootstrap {
  /** Whether the route exists. */
  readonly isOffered: boolean;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'adminApiKey' | 'baseUrl' | 'isPrivate' | 'oidcLogin'>,
    private readonly adminKey: AdminKey,
    private readonly database: Database,
    private readonly failures: LoginFailures,
    private readonly administrators: FirstAdministratorService,
    private readonly audit: Audit,
    private readonly maintenance: Maintenance,
  ) {
    this.isOffered = isSetupOffered(config);
  }

  /** Prints the link if this start has created the admin key. */
  async onApplicationBootstrap(): Promise<void> {
    const { isPrivate = false, baseUrl } = this.config;
    if (!this.isOffered || isPrivate || this.adminKey.made === undefined) return;
    const token = await this.database.transaction(async (tx) =>
      (await hasUsers(tx)) ? undefined : makeSetupToken(tx),
    );
    if (token === undefined) return;
    printNotice(`Create the first administrator (once, within 24 hours): ${setupLink(baseUrl, token)}`);
  }

  /**
   * Creates the first administrator. A wrong token counts as a failed login of the address, and no password is hashed.
   * @throws {SetupDoneError} 410 @throws {UnauthorizedError} 401 @throws {TooManyFailuresError} 429
   * @throws {ServiceUnavailableError} 503
   */
  async create({ token, username, password }: SetupDto, source: ChangeSource): Promise<User> {
    // The console's files are served during maintenance, but this route is not.
    const refusal = this.maintenance.refusalFor('/');
    if (refusal !== undefined) throw refusal;
    if (await hasUsers(this.database)) throw new SetupDoneError();
    const setting = await this.failures.guard(ACCOUNT, source.address, 'login', () =>
      findSetupToken(this.database, token),
    );
    if (setting === undefined) {
      this.audit.record('login_failed', source, null, { setup: true });
      throw wrongSetupToken();
    }
    return this.administrators.create({ username, password }, source, async (tx) => {
      if (await hasUsers(tx)) throw new SetupDoneError();
      // Only one request at a time holds the lock. Another one may have used the token before.
      if (!(await takeSetupToken(tx, setting))) throw wrongSetupToken();
    });
  }
}
