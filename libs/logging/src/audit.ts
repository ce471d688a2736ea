import { Inject, Injectable } from '@nestjs/common';

import { LOG, type Log } from './log.js';

/** Who did something, and from where. */
export interface AuditSource {
  /** Id of the credential that asked for it; null where there was none, as for a login. */
  readonly actor: string | null;
  /** Id of the user whose credential it is; null where it belongs to no user. */
  readonly userId: string | null;
  readonly address: string;
  readonly requestId: string | null;
}

/**
 * What the audit log tells of: events that give, change or take access. Lines with `audit: true` among those of the
 * log; they name resources and credentials by their ids, and hold no secret.
 */
@Injectable()
export class Audit {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /**
   * @param event in snake_case, as it has happened: `key_created`, `login_failed`.
   * @param subject id of what it has happened to; null where there is no such thing, as for an unknown user.
   * @param details more to know; never a secret, nor what a client may have mistaken for another field.
   */
  record(
    event: string,
    source: AuditSource,
    subject: string | null,
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    const { actor, userId, address, requestId } = source;
    this.log.info(
      { audit: true, event, actor, user_id: userId, subject, address, request_id: requestId, ...details },
      'audit',
    );
  }
}
