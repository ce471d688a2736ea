export { origins, ownPages, proxies, publicAddress, redis, resolver, url } from './addresses.js';
export { AUTH_METHODS, type AuthMethod, authMethods } from './auth-methods.js';
export { ConfigError } from './config-error.js';
export { database, type OwnDatabase, standbys } from './database.js';
export { isTracingWanted } from './tracing.js';
export { readTlsFiles, tlsFiles, type TlsFiles } from './tls-files.js';
export {
  adminKey,
  color,
  currency,
  days,
  differentPorts,
  duration,
  durations,
  flag,
  headerNames,
  isConsoleOn,
  list,
  oneOf,
  port,
  rateLimit,
  retryAfterOrOff,
  secret,
  wholeNumber,
} from './values.js';
export { readVariable, type Variable } from './variable.js';
