import { userInfo } from 'node:os';

import { Inject, Injectable } from '@nestjs/common';

import { LOG, type Log } from './log.js';

const OPERATOR = 'operator:';

export interface AuditSource {
  /** Id of the credential; null without one, as for a login. */
  readonly actor: string | null;
  readonly userId: string | null;
  readonly address: string;
  readonly requestId: string | null;
}

type OnMachine = Omit<AuditSource, 'address'> & { readonly address: null };

/**
 * Audit log of logins, operators' commands and other events: log lines with `audit: true`. They contain ids of
 * resources and credentials, but no secrets.
 */
@Injectable()
export class Audit {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /**
   * @param event in snake_case, in the past tense: `login_succeeded`, `login_failed`.
   * @param subject id of the resource concerned; null if there is none, as for an unknown user.
   * @param details contain no secret, and no client input that may be a secret by mistake.
   */
  record(
    event: string,
    source: AuditSource | OnMachine,
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

export function operatorAudit(
  log: Log,
): (event: string, subject: string | null, details?: Readonly<Record<string, unknown>>) => void {
  const audit = new Audit(log);
  const source: OnMachine = { actor: OPERATOR + nameOfUser(), userId: null, address: null, requestId: null };
  return (event, subject, details) => {
    audit.record(event, source, subject, details);
  };
}

/** A container's user id may have no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
