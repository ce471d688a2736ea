import { API_VERSIONS } from '@items/dtos/contract';
import { Versions } from './versions.js';

/** README.md explains how to add one. SPEC §9 */
export const versions = new Versions({
  table: API_VERSIONS,
  changes: {},
});
