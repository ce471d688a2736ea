import { LookUpCache } from '../../data/caching/look-up-cache.js';
import { hashSecret, isSameHash, makeSecret } from '../credentials/secrets/secret.js';
import { type MaybePromise, thenMaybe } from '@items/conventions';
import { Database } from '../../data/database/database.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';

import { CONFIG, type Config } from '../../runtime/config/config.js';
import { ADMIN_KEY_ID, type Principal } from '../principal/principal.js';
import { Permissions } from '../principal/permissions.js';
import { printNotice } from './print-notice.js';

const SETTING = 'admin_key_hash';

const READ = 'SELECT value FROM settings WHERE name = $1';
const REPLACE =
  'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const ADD = 'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING name';

/** The first credential: from `ADMIN_API_KEY`, or created and printed on the first start. SPEC §10 */
@Injectable()
export class AdminKey implements OnModuleInit {
  /** Hash of a second key that only this process has. */
  private lent: string | undefined;
  /** The key in plain text, if this process has created it. */
  made: string | undefined;
  private readonly setting = new LookUpCache<{ readonly value: string }>();
  private readonly admin: Principal;
  /** Caller for {@link lend}, with a quota of its own. */
  private readonly self: Principal;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'adminApiKey' | 'isPrivate'>,
    private readonly database: Database,
    permissions: Permissions,
  ) {
    this.admin = {
      credentialId: ADMIN_KEY_ID,
      kind: 'api-key',
      userId: null,
      isAdmin: true,
      scopes: permissions.scopesOfRole('admin'),
      rateLimit: null,
    };
    this.self = { ...this.admin, credentialId: 'self', rateLimit: { requests: 1_000_000_000, seconds: 60 } };
  }

  /** The database lets only one of several starting instances create the key. */
  async onModuleInit(): Promise<void> {
    if (this.config.adminApiKey !== undefined) await this.replace(this.config.adminApiKey);
    else await this.makeOnce();
  }

  async lend<T>(work: (key: string) => Promise<T>): Promise<T> {
    const key = makeSecret();
    this.lent = hashSecret(key);
    try {
      return await work(key);
    } finally {
      this.lent = undefined;
    }
  }

  cached(hash: string): Principal | undefined {
    if (this.lent !== undefined && isSameHash(hash, this.lent)) return this.self;
    const setting = this.setting.peek(SETTING);
    return setting !== undefined && isSameHash(hash, setting.value) ? this.admin : undefined;
  }

  authenticate(hash: string): MaybePromise<Principal | null> {
    if (this.lent !== undefined && isSameHash(hash, this.lent)) return this.self;
    const setting = this.setting.get(SETTING, () => this.read(SETTING));
    return thenMaybe(setting, (read) => (read !== null && isSameHash(hash, read.value) ? this.admin : null));
  }

  private async read(name: string): Promise<{ readonly value: string } | null> {
    const [row] = await this.database.query<{ value: string }>(READ, [name]);
    return row ?? null;
  }

  private async replace(secret: string): Promise<void> {
    await this.database.transaction((tx) => tx.query(REPLACE, [SETTING, hashSecret(secret)]));
  }

  /**
   * Stores the key before printing it: otherwise each starting instance would print a key, and only one is valid. After
   * a crash in between, the next start needs `ADMIN_API_KEY`.
   */
  private async makeOnce(): Promise<void> {
    if ((await this.read(SETTING)) !== null) return;
    const secret = makeSecret();
    const added = await this.database.transaction((tx) => tx.query(ADD, [SETTING, hashSecret(secret)]));
    if (added.length === 0) return;
    this.made = secret;
    if (this.config.isPrivate) return;
    printNotice(`Admin key (shown only this once): ${secret}\n  export ADMIN_API_KEY=${secret}`);
  }
}
