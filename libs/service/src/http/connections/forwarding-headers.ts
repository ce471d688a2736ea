import type { IncomingHttpHeaders } from 'node:http';

/** An address as some proxies write it, with the port that the client came from. RFC 7239 §6 */
const WITH_PORT = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/i;

/**
 * Writes the headers of proxies as Fastify reads them: addresses without ports and brackets, the scheme in lower case.
 * Whether they count is for `TRUST_PROXY` to say.
 */
export function tidyForwarding(headers: IncomingHttpHeaders): void {
  const { 'x-forwarded-for': addresses, 'x-forwarded-proto': scheme } = headers;
  if (typeof addresses === 'string') headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join(',');
  if (typeof scheme === 'string') headers['x-forwarded-proto'] = scheme.toLowerCase();
}

function withoutPort(address: string): string {
  return address.trim().replace(WITH_PORT, '$1$2');
}
