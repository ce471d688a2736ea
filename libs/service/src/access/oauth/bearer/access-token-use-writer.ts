import { LastUseFlush, type Uses } from '../../credentials/secrets/last-use-flush.js';
import { AccessTokenUses } from '../../credentials/tokens/access-token-uses.js';
import { Database } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

/** Other instances see a use within 5 s. SPEC §5.4 */
const PERIOD_MS = 2000;

const USE = 'UPDATE oauth_artifacts SET consumed_at = $2 WHERE hash = $1 AND consumed_at IS NULL';

/** After the first use of an access token from a refresh, the refresh token cannot be repeated. */
@Injectable()
export class AccessTokenUseWriter extends LastUseFlush {
  constructor(
    uses: AccessTokenUses,
    private readonly database: Database,
  ) {
    super(uses, AccessTokenUseWriter.name, 'access tokens', PERIOD_MS);
  }

  protected override async write(uses: Uses): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const [hash, usedAtMs] of uses) await tx.query(USE, [hash, usedAtMs]);
    });
  }
}
