/** Names of the cookies that the login pages set. */
export interface CookieNames {
  /** Login of a browser. */
  readonly session: string;
  /** Open login or consent page. */
  readonly interaction: string;
  readonly resume: string;
  /** Begins the name of the cookie that binds a login by the identity provider to its browser. */
  readonly providerPrefix: string;
}

/** Returns the names of the cookies of a service, which differ from those of other services on the same host. */
export function cookieNames(serviceName: string): CookieNames {
  return {
    session: `${serviceName}_login`,
    interaction: `${serviceName}_page`,
    resume: `${serviceName}_resume`,
    providerPrefix: `${serviceName}_provider_`,
  };
}
