import type { User } from '@items/dtos/contract';
import type { SetupDto } from '@items/dtos';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiError, UnauthorizedError } from '@items/conventions';
import { Database } from '../../data/database/database.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Audit } from '../../runtime/logging/audit.js';
import { Maintenance } from '../../runtime/maintenance/maintenance-gate.js';
import { AdminKey, printNotice } from '../auth/admin-key.js';
import { LoginFailures } from '../credentials/logins/login-failures.js';
import type { ChangeSource } from '../principal/request-principal.js';
import { UsersService } from '../users/users.service.js';
import { findSetupToken, hasUsers, isSetupOffered, makeSetupToken, setupLink, takeSetupToken } from './setup-token.js';

/**
 * Username under which wrong setup tokens count as failed logins. No user can have this name, because usernames contain
 * no space.
 */
const ACCOUNT = 'console setup';

@Injectable()
export class SetupService implements OnApplicationBootstrap {
  readonly isOffered: boolean;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'adminApiKey' | 'baseUrl' | 'isPrivate' | 'oidcLogin'>,
    private readonly adminKey: AdminKey,
    private readonly database: Database,
    private readonly failures: LoginFailures,
    private readonly users: UsersService,
    private readonly audit: Audit,
    private readonly maintenance: Maintenance,
  ) {
    this.isOffered = isSetupOffered(config);
  }

  /** Only the process that created the admin key prints the setup link. */
  async onApplicationBootstrap(): Promise<void> {
    const { isPrivate = false, baseUrl } = this.config;
    if (!this.isOffered || isPrivate || this.adminKey.createdKey === undefined) return;
    const token = await this.database.transaction(async (tx) => !(await hasUsers(tx)) && makeSetupToken(tx));
    if (token === false) return;
    printNotice(`Create the first administrator (once, within 24 hours): ${setupLink(baseUrl, token)}`);
  }

  /** Refuses a wrong token before hashing a password, and counts a failed login of the address. */
  async create({ token, username, password }: SetupDto, source: ChangeSource): Promise<User> {
    // The service serves paths below `/console/` during maintenance, so this route refuses here.
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
    return this.users.createFirst({ username, password }, source, async (tx) => {
      if (await hasUsers(tx)) throw new SetupDoneError();
      if (!(await takeSetupToken(tx, setting))) throw wrongSetupToken();
    });
  }
}

class SetupDoneError extends ApiError {
  override readonly status = 410;
  override readonly code = 'setup_done';

  constructor() {
    super('A user exists already. Sign in, or ask an administrator for a user.');
  }
}

/** Creates a 401 without a `Basic` challenge, which would make browsers show a password dialog. */
function wrongSetupToken(): UnauthorizedError {
  const sentence = 'The link is not valid, or has expired. The operator can print another: npm run admin -- setup-link';
  return new UnauthorizedError(sentence, ['Bearer realm="items"']);
}
