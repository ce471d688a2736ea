import { userInfo } from 'node:os';

import { Inject, Injectable } from '@nestjs/common';

import { LOG, type Log } from './log.js';

/** Begins the `actor` of what was done by a command on the machine; behind it stands the name of its user. */
const OPERATOR = 'operator:';

/** Who did something, and from where. */
export interface AuditSource {
  /** Id of the credential that asked for it; null where there was none, as for a login. */
  readonly actor: string | null;
  /** Id of the user whose credential it is; null where it belongs to no user. */
  readonly userId: string | null;
  readonly address: string;
  readonly requestId: string | null;
}

/** The same of a command on the machine of the service, which comes from no address. */
type OnMachine = Omit<AuditSource, 'address'> & { readonly address: null };

/**
 * What the audit log tells of: what has to do with access and changes nothing, such as a login. Lines with `audit: true`
 * among those of the log; they name resources and credentials by their ids, and hold no secret.
 */
@Injectable()
export class Audit {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /**
   * @param event in snake_case, as it has happened: `login_succeeded`, `login_failed`.
   * @param subject id of what it has happened to; null where there is no such thing, as for an unknown user.
   * @param details more to know; never a secret, nor what a client may have mistaken for another field.
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

/** Tells the audit log what an operator does by a command. @returns {@link Audit.record} with everything else filled in. */
export function operatorAudit(
  log: Log,
): (event: string, subject: string | null, details?: Readonly<Record<string, unknown>>) => void {
  const audit = new Audit(log);
  const source: OnMachine = { actor: OPERATOR + nameOfUser(), userId: null, address: null, requestId: null };
  return (event, subject, details) => {
    audit.record(event, source, subject, details);
  };
}

/** A container may run as a user that has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
