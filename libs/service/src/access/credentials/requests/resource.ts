/** Path of the metadata of RFC 9728 §3 */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Identifies the service in the metadata, without a final slash. RFC 9728 §2 */
export function resourceOf(baseUrl: string): string {
  return baseUrl.replace(/\/$/, '');
}
