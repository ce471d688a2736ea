/** Names of query parameters that carry credentials elsewhere, in lower case. SPEC §5.1 */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'api_key',
  'apikey',
  'api-key',
  'x-api-key',
  'access_token',
  'refresh_token',
  'token',
  'password',
  'client_secret',
]);

/** What no query has that names a credential: a look at each name costs a page of a list 1 % of its time. */
const SUSPICIOUS = /%|key|token|password|secret/i;

/** Whether the query has a parameter whose name says that it is a credential, in any case and encoding. SPEC §5 */
export function hasCredentialInUrl(url: string): boolean {
  const start = url.indexOf('?');
  if (start === -1) return false;
  const query = url.slice(start + 1);
  if (!SUSPICIOUS.test(query)) return false;
  return query.split('&').some((pair) => CREDENTIAL_NAMES.has(nameOf(pair)));
}

function nameOf(pair: string): string {
  const end = pair.indexOf('=');
  const name = (end === -1 ? pair : pair.slice(0, end)).replaceAll('+', ' ');
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
