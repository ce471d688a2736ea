import type { Database } from '../../data/database/database.js';
import type { WarningLog } from '../../data/background/background-work.js';
import type { Visibility } from '../../feed/visibility.js';

import { selectedKinds } from '../definition/event-selection.js';
import type { SecretBox } from '../definition/secret-box.js';
import type { RunnerConfig } from './dispatch.js';

/** Secrets that cannot be decrypted are remembered, so that each is logged once. At this number, all are forgotten. */
const MAX_WARNED = 100;

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly events: string;
  readonly disabled: number;
  readonly api_version: string;
}

export interface SecretRow {
  readonly webhook_id: string;
  readonly secret: string;
  readonly expires_at: number | null;
}

export class WebhookConfigs {
  private readonly warned = new Set<string>();

  constructor(
    private readonly of: {
      readonly secrets: SecretBox;
      readonly kinds: readonly string[];
      readonly log: WarningLog;
    },
  ) {}

  webhooks(database: Database): Promise<WebhookRow[]> {
    return database.query<WebhookRow>('SELECT id, url, events, disabled, api_version FROM webhooks');
  }

  secrets(database: Database): Promise<SecretRow[]> {
    return database.query<SecretRow>('SELECT webhook_id, secret, expires_at FROM webhook_secrets');
  }

  configOf(row: WebhookRow, right: Visibility | 'silent', secrets: readonly SecretRow[]): RunnerConfig {
    const { id, url, events, disabled, api_version: apiVersion } = row;
    return {
      url,
      apiVersion,
      disabled: disabled === 1,
      types: selectedKinds(JSON.parse(events) as string[], this.of.kinds),
      visible: right === 'silent' ? undefined : right,
      secrets: secrets.filter(({ webhook_id: owner }) => owner === id).flatMap((secret) => this.opened(id, secret)),
    };
  }

  private opened(id: string, { secret, expires_at: expiresAt }: SecretRow): RunnerConfig['secrets'] {
    try {
      return [{ secret: this.of.secrets.open(secret, id), expiresAt }];
    } catch (error) {
      if (this.warned.has(secret)) return [];
      if (this.warned.size >= MAX_WARNED) this.warned.clear();
      this.warned.add(secret);
      this.of.log.warn(
        `Could not decrypt a secret of webhook ${id}; deliveries are not signed with it: ${String(error)}`,
      );
      return [];
    }
  }
}
