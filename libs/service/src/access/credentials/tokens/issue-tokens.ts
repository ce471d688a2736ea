import type { CreatedSession } from '@items/dtos/contract';
import type { Transaction } from '../../../data/database/database.js';
import { putArtifact } from './artifacts.js';
import { randomToken } from '../secrets/secret.js';
import { ACCESS_TOKEN_SECONDS, FIRST_PARTY, REFRESH_TOKEN_SECONDS } from './lifetimes.js';

const GRANT_TYPE = 'session';

/** Issues the first tokens of a session in the stored form of oidc-provider. */
export async function issueTokens(
  tx: Transaction,
  authorizationId: string,
  userId: string,
  scope: string,
): Promise<Omit<CreatedSession, 'id'>> {
  const issue = async (model: 'AccessToken' | 'RefreshToken', seconds: number): Promise<string> => {
    const value = randomToken();
    const iat = Math.floor(Date.now() / 1000);
    const payload = {
      kind: model,
      iat,
      exp: iat + seconds,
      accountId: userId,
      clientId: FIRST_PARTY,
      grantId: authorizationId,
      gty: GRANT_TYPE,
      scope,
      ...(model === 'RefreshToken' && { iiat: iat, rotations: 0 }),
    };
    await putArtifact(tx, value, {
      model,
      authorization_id: authorizationId,
      client_id: FIRST_PARTY,
      user_id: userId,
      payload: JSON.stringify(payload),
      expires_at: (iat + seconds) * 1000,
    });
    return value;
  };
  return {
    token_type: 'Bearer',
    access_token: await issue('AccessToken', ACCESS_TOKEN_SECONDS),
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: await issue('RefreshToken', REFRESH_TOKEN_SECONDS),
    refresh_expires_in: REFRESH_TOKEN_SECONDS,
    scope,
  };
}
