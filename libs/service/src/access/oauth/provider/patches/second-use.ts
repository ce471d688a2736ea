import { errors } from 'oidc-provider';

import type { AdapterParts } from '../adapter-parts.js';

export class SecondUse extends errors.InvalidGrant {
  constructor(
    readonly model: string,
    readonly value: string,
  ) {
    super('it was already used');
  }
}

/** One of the two uses may be an attacker's, so the grant of the first one ends. RFC 9700 §4.14.2 */
export async function endSecondUse(parts: AdapterParts, { model, value }: SecondUse): Promise<void> {
  const artifact = await parts.artifacts.find(value);
  parts.reused(model, artifact);
  if (artifact?.authorization_id) await parts.authorizations.end('id', artifact.authorization_id);
}
