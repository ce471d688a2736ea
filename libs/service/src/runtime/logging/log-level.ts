/** The most important first; `silent` for nothing. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** What is logged at least. */
export type LogLevel = (typeof LOG_LEVELS)[number];
