import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';

import { Audit } from '../../../runtime/logging/audit.js';
import { Accounts } from '../../accounts/accounts.js';
import { LoginFailures } from '../../credentials/logins/login-failures.js';
import { Permissions } from '../../principal/permissions.js';
import type { AuthStrategy, CredentialVerifier } from './auth-strategy.js';
import { type OwnStrategyParts, OwnStrategyVerifier } from './own-strategy-verifier.js';
import type { PassportStrategyObject } from './run-strategy.js';
import { StartRefusedError } from '../../../data/definition/start-refused.js';

@Injectable()
export class OwnStrategies {
  private readonly parts: OwnStrategyParts;

  constructor(
    private readonly modules: ModuleRef,
    accounts: Accounts,
    failures: LoginFailures,
    audit: Audit,
    permissions: Permissions,
  ) {
    this.parts = { accounts, failures, audit, permissions };
  }

  async verifierOf(row: AuthStrategy): Promise<CredentialVerifier> {
    return new OwnStrategyVerifier(row, await this.objectOf(row), this.parts);
  }

  private async objectOf({ name, strategy }: AuthStrategy): Promise<PassportStrategyObject> {
    try {
      return this.modules.get<PassportStrategyObject>(strategy, { strict: false });
    } catch {
      // The class is not a provider.
    }
    try {
      return await this.modules.create<PassportStrategyObject>(strategy);
    } catch {
      const problem = `The class ${strategy.name} of the strategy "${name}" has dependencies`;
      throw new StartRefusedError(`${problem}: make it a provider of one of \`modules\`.`);
    }
  }
}
