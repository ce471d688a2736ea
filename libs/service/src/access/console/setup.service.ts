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

/** Counts failures in the place of an account. No username has a blank. */
const ACCOUNT = 'console setup';

/** The first administrator, by the link that the first start prints. */
@Injectable()
export class SetupService implements OnApplicationBootstrap {
  /** Whether there is such a route. */
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

  /** Prints the link if this start has made the admin key. */
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
   * Creates the first administrator. A wrong token costs no hash, and counts as a failed login of the address.
   * @throws {SetupDoneError} 410 @throws {UnauthorizedError} 401 @throws {TooManyFailuresError} 429
   * @throws {ServiceUnavailableError} 503
   */
  async create({ token, username, password }: SetupDto, source: ChangeSource): Promise<User> {
    // The files of the console are served during maintenance, this route is not.
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
      // The lock lets one request at a time come here: the first one has used the token up.
      if (!(await takeSetupToken(tx, setting))) throw wrongSetupToken();
    });
  }
}
