import { Artifacts, consumeArtifact, putArtifact } from '../../credentials/tokens/artifacts.js';
import { randomToken } from '../../credentials/secrets/secret.js';
import { Database } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

const MODEL = 'FinishedLogin';
/** A minute is enough, because the redirect brings the browser back immediately. */
const LIFETIME_MS = 60_000;

/** Stores a login that the identity provider has confirmed, until the browser returns to the login page. */
@Injectable()
export class FinishedLogins {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly database: Database,
  ) {}

  /** @returns A token with which the browser proves its login. */
  async add(interaction: string, userId: string): Promise<string> {
    const loginToken = randomToken();
    await this.database.transaction((tx) =>
      putArtifact(tx, loginToken, {
        model: MODEL,
        user_id: userId,
        payload: JSON.stringify({ interaction }),
        expires_at: Date.now() + LIFETIME_MS,
      }),
    );
    return loginToken;
  }

  async take(interaction: string, loginToken: string): Promise<string | undefined> {
    const found = await this.artifacts.find(loginToken);
    if (found?.model !== MODEL || found.expires_at <= Date.now() || found.user_id === null) return undefined;
    if ((JSON.parse(found.payload) as { interaction: string }).interaction !== interaction) return undefined;
    const isFirst = await this.database.transaction((tx) => consumeArtifact(tx, loginToken));
    return isFirst ? found.user_id : undefined;
  }
}
