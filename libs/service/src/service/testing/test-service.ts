import type { User } from '@items/dtos/contract';

import type { RunningService } from '../composition/composition.js';

/** Rights of a user in a test. */
export interface TestUserOptions {
  /** A role of the service. Default: `member`. */
  readonly role?: string;
  /** Scopes of the token, such as `['books:read']`. Default: all scopes of the role. */
  readonly scopes?: readonly string[];
}

export interface TestUser {
  readonly user: User;
  readonly password: string;
  /** Access token for `Authorization: Bearer …`. It expires after 15 minutes. */
  readonly token: string;
}

/** A service with a database in memory that creates users and keys for tests. */
export interface TestService extends RunningService {
  readonly adminKey: string;
  /** Creates a user with a unique name, and logs them in. */
  user(options?: TestUserOptions): Promise<TestUser>;
  /** Creates an API key without a user. @param scopes such as `['books:read']`. @returns its secret, for `X-API-Key`. */
  key(scopes: readonly string[]): Promise<string>;
}
