import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

import type { Database } from '../../data/database/database.js';
import { getOrCreateSetting } from '../../data/database/settings.js';

const NAME = 'webhook_key';
const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 8;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/** `WEBHOOK_KEY` no longer contains the key that encrypted a secret. */
export class UnknownKeyError extends Error {
  constructor() {
    super('WEBHOOK_KEY does not have the key that this was encrypted with: add that key, or rotate the secret.');
    this.name = 'UnknownKeyError';
  }
}

/**
 * Encrypts secrets of webhooks with AES-256-GCM. The result contains the key's id, and can be decrypted only for the
 * same webhook.
 */
export class SecretBox {
  private readonly keys: readonly Key[];

  /** @param keys at least one; the first encrypts, all decrypt. */
  constructor(keys: readonly string[]) {
    this.keys = keys.map(keyOf);
  }

  /** @param configured the keys of `WEBHOOK_KEY` in order; without keys, one is created and stored in the database. */
  static async of(database: Database, configured: readonly string[]): Promise<SecretBox> {
    if (configured.length > 0) return new SecretBox(configured);
    return new SecretBox([await getOrCreateSetting(database, NAME, () => randomBytes(32).toString('base64url'))]);
  }

  /** @param owner the webhook's id. @returns `<key id>.<base64url>`. */
  close(secret: string, owner: string): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('SecretBox needs at least one key.');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key.bytes, iv).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  open(closed: string, owner: string): string {
    const [id, content = ''] = closed.split('.');
    const key = this.keys.find((known) => known.id === id);
    if (key === undefined) throw new UnknownKeyError();
    const bytes = Buffer.from(content, 'base64url');
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key.bytes, iv).setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}

function keyOf(text: string): Key {
  const bytes = createHash('sha256').update(`items webhook secrets ${text}`).digest();
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, KEY_ID_LENGTH), bytes };
}
