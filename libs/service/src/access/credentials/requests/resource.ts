/** Path of the metadata about the protection of the service. RFC 9728 §3 */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Returns the identifier of the service in the metadata: its base URL without a final slash. RFC 9728 §2 */
export function resourceOf(baseUrl: string): string {
  return baseUrl.replace(/\/$/, '');
}
