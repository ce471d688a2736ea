/** The throttler that counts by credential; `default`, so that a bare `@SkipThrottle()` names it. SPEC §8 */
export const CREDENTIAL_QUOTA = 'default';
/** The throttler that counts requests without a valid credential by their address. SPEC §8 */
export const ADDRESS_QUOTA = 'anonymous';
