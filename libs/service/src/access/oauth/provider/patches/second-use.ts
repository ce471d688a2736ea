import { errors } from 'oidc-provider';

import type { AdapterParts } from '../adapter-parts.js';

/** A code or a refresh token came a second time. */
export class SecondUse extends errors.InvalidGrant {
  /** @param model as oidc-provider calls it. */
  constructor(
    readonly model: string,
    readonly value: string,
  ) {
    super('it was already used');
  }
}

/**
 * Ends the grant of the first use: either the client or an attacker used the value twice. RFC 9700
 * §4.14.2
 */
export async function endSecondUse(parts: AdapterParts, { model, value }: SecondUse): Promise<void> {
  const artifact = await parts.artifacts.find(value);
  parts.reused(model, artifact);
  if (artifact?.authorization_id) await parts.authorizations.end('id', artifact.authorization_id);
}
