import type { Presented } from '../../credentials/requests/presented-credential.js';
import { Injectable } from '@nestjs/common';

import { ApiKeyStrategy } from './api-key.strategy.js';
import { BasicStrategy } from './basic.strategy.js';
import { BearerStrategy } from './bearer.strategy.js';
import type { CredentialStrategy } from './run-strategy.js';

/** Which strategy judges which credential: exactly one does. */
@Injectable()
export class Strategies {
  /** By scheme of Authorization, in lower case. */
  private readonly byScheme: ReadonlyMap<string, CredentialStrategy>;

  constructor(
    private readonly apiKey: ApiKeyStrategy,
    basic: BasicStrategy,
    bearer: BearerStrategy,
  ) {
    this.byScheme = new Map<string, CredentialStrategy>([
      ['basic', basic],
      ['bearer', bearer],
    ]);
  }

  /** @returns undefined where no strategy accepts such a credential: it is not valid. */
  strategyFor(presented: Presented): CredentialStrategy | undefined {
    switch (presented.method) {
      case 'api-key':
        return this.apiKey;
      case 'authorization':
        return this.byScheme.get(presented.scheme);
      case 'none':
      case 'several':
        return undefined;
    }
  }
}
