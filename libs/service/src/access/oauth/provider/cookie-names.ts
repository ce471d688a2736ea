export interface CookieNames {
  readonly session: string;
  readonly interaction: string;
  readonly resume: string;
  /** Prefix of cookies that bind logins at the identity provider to their browser. */
  readonly providerPrefix: string;
}

/** The names differ from those of other services on the same host. */
export function cookieNames(serviceName: string): CookieNames {
  return {
    session: `${serviceName}_login`,
    interaction: `${serviceName}_page`,
    resume: `${serviceName}_resume`,
    providerPrefix: `${serviceName}_provider_`,
  };
}
