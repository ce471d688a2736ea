import type { ReleasedVersion } from '@items/conventions';

/** The current version: what answers are in where a request does not ask for another. SPEC §9 */
export const API_VERSION = '2026-11-20';

/**
 * The one table of versions, oldest first, the current one last; those that have ended stay in it. Headers, refusals and the
 * pages of the versions follow from it. SPEC §9
 */
export const API_VERSIONS: readonly ReleasedVersion[] = [{ version: API_VERSION }];
