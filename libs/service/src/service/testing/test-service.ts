import type { User } from '@items/dtos/contract';

import type { RunningService } from '../process/service-options.js';

/** What a user of a test may do. */
export interface TestUserOptions {
  /** One of the service's; `member` where it is left out. */
  readonly role?: string;
  /** Of the token, such as `['books:read']`; all of the role's where it is left out. */
  readonly scopes?: readonly string[];
}

/** A user who has just logged in. */
export interface TestUser {
  readonly user: User;
  readonly password: string;
  /** For `Authorization: Bearer …`; it ends after 15 minutes. */
  readonly token: string;
}

/** A service that keeps its data in memory, and makes users and keys for tests. */
export interface TestService extends RunningService {
  readonly adminKey: string;
  /** Makes a user with a name of their own, and logs them in. */
  user(options?: TestUserOptions): Promise<TestUser>;
  /** Makes an API key of no user. @param scopes such as `['books:read']`. @returns its secret, for `X-API-Key`. */
  key(scopes: readonly string[]): Promise<string>;
}
