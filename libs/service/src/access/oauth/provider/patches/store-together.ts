import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { respondUnavailable } from './responses.js';
import type { AdapterParts } from '../adapter-parts.js';

type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<unknown>) => Promise<void>;

/**
 * Stores all changes of a token response in one transaction before the response is sent. After a failure, nothing is
 * stored and the client may retry.
 * @param report Receives unexpected errors: neither client errors nor temporary errors.
 */
export function storeTogether(parts: AdapterParts, tokenPath: string, report: (error: unknown) => void): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== tokenPath) {
      await next();
      return;
    }
    try {
      await parts.writes.together(async () => {
        await next();
        return ctx.status < 400;
      });
    } catch (error) {
      const cause = error instanceof SecondUse ? await endSecondUse(parts, error) : error;
      if (!respondWithError(ctx, cause)) report(cause);
    }
  };
}

/** @returns False for an unexpected error, which the caller reports. */
function respondWithError(ctx: KoaContextWithOIDC, error: unknown): boolean {
  if (error instanceof Error && respondUnavailable(ctx, error)) return true;
  const isGrant = error instanceof errors.InvalidGrant;
  ctx.status = isGrant ? 400 : 500;
  ctx.body = isGrant
    ? { error: 'invalid_grant', error_description: 'grant request is invalid' }
    : { error: 'server_error', error_description: 'Internal server error.' };
  return isGrant;
}

export class SecondUse extends errors.InvalidGrant {
  constructor(
    readonly model: string,
    readonly value: string,
  ) {
    super('it was already used');
  }
}

/**
 * Ends the authorization, because one of the two uses may be an attack. RFC 9700 §4.14.2
 * @returns Error for the response: the second use, or the failure to end the authorization.
 */
async function endSecondUse(parts: AdapterParts, use: SecondUse): Promise<unknown> {
  try {
    const artifact = await parts.artifacts.find(use.value);
    parts.audit.reused(use.model, artifact);
    if (artifact?.authorization_id) await parts.authorizations.end('id', artifact.authorization_id);
    return use;
  } catch (failure) {
    return failure;
  }
}
