/** The version that answers carry, and that requests may ask for. SPEC §9 */
export const API_VERSION = '2026-11-20';
/** All versions that a request may ask for. SPEC §9 */
export const SUPPORTED_API_VERSIONS: readonly string[] = [API_VERSION];
