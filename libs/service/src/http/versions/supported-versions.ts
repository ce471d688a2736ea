import { API_VERSIONS } from '@items/dtos/contract';
import { Versions } from './versions.js';

/** README.md explains how to add a version. SPEC §9 */
export const versions = new Versions({
  table: API_VERSIONS,
  changes: {},
});
