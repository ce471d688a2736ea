import { type MaybePromise, thenMaybe } from '@items/conventions';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LookUpCache } from '../../data/caching/look-up-cache.js';
import { hashSecret, isSameHash, makeSecret } from '../credentials/secrets/secret.js';
import { Database } from '../../data/database/database.js';
import { addSetting, readSetting, writeSetting } from '../../data/database/settings.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { ADMIN_KEY_ID, type Principal } from '../principal/principal.js';
import { Permissions } from '../principal/permissions.js';

const SETTING = 'admin_key_hash';

/** The first credential: from `ADMIN_API_KEY`, or created and printed on the first start. SPEC §10 */
@Injectable()
export class AdminKey implements OnModuleInit {
  /** Hash of a second key, for requests of this process to itself. */
  private temporaryHash: string | undefined;
  /** Plain text of the key, if this process created it. Only its hash is stored. */
  createdKey: string | undefined;
  private readonly setting = new LookUpCache<{ readonly value: string }>();
  private readonly admin: Principal;
  /** Caller with the key of {@link withTemporaryKey}. Has a separate quota. */
  private readonly temporaryCaller: Principal;

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
    this.temporaryCaller = { ...this.admin, credentialId: 'self', rateLimit: { requests: 1_000_000_000, seconds: 60 } };
  }

  /** Instances may start concurrently. The database lets only one instance create the key. */
  async onModuleInit(): Promise<void> {
    const { adminApiKey } = this.config;
    if (adminApiKey === undefined) await this.makeOnce();
    else await this.database.transaction((tx) => writeSetting(tx, SETTING, hashSecret(adminApiKey)));
  }

  async withTemporaryKey<T>(work: (key: string) => Promise<T>): Promise<T> {
    const key = makeSecret();
    this.temporaryHash = hashSecret(key);
    try {
      return await work(key);
    } finally {
      this.temporaryHash = undefined;
    }
  }

  cached(hash: string): Principal | undefined {
    if (this.temporaryHash !== undefined && isSameHash(hash, this.temporaryHash)) return this.temporaryCaller;
    const setting = this.setting.peek(SETTING);
    return setting !== undefined && isSameHash(hash, setting.value) ? this.admin : undefined;
  }

  authenticate(hash: string): MaybePromise<Principal | null> {
    if (this.temporaryHash !== undefined && isSameHash(hash, this.temporaryHash)) return this.temporaryCaller;
    const setting = this.setting.get(SETTING, () => this.read());
    return thenMaybe(setting, (read) => (read !== null && isSameHash(hash, read.value) ? this.admin : null));
  }

  private async read(): Promise<{ readonly value: string } | null> {
    const value = await readSetting(this.database, SETTING);
    return value === undefined ? null : { value };
  }

  /**
   * Stores the key before printing it. Otherwise, each starting instance would print a key, but only one key would be
   * valid. After a crash between storing and printing, the next start needs `ADMIN_API_KEY`.
   */
  private async makeOnce(): Promise<void> {
    if ((await this.read()) !== null) return;
    const secret = makeSecret();
    if (!(await this.database.transaction((tx) => addSetting(tx, SETTING, hashSecret(secret))))) return;
    this.createdKey = secret;
    if (this.config.isPrivate) return;
    printNotice(`Admin key (shown only this once): ${secret}\n  export ADMIN_API_KEY=${secret}`);
  }
}

/** Unlike the log, the terminal may show a secret. */
export function printNotice(text: string): void {
  process.stdout.write(`${text}\n`);
}
