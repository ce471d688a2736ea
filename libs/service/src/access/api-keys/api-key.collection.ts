import { defineCollection } from '../../data/definition/define-collection.js';
import type { ApiKey } from '@items/dtos/contract';
import { CreateApiKeyDto } from '@items/dtos';

import { validSecrets } from './api-key-secrets.js';

/** Columns of a key that are not shown as they are; the secrets' hashes are in `api_key_secrets`. */
interface HiddenColumns {
  /** JSON of `StoredSecret`s, newest first: what the key shows of `api_key_secrets`. */
  readonly secrets: string;
}

/** What the collection of API keys says about itself. SPEC §5, §4.1 */
export const apiKeyCollection = defineCollection<CreateApiKeyDto, ApiKey, HiddenColumns>({
  name: 'api_keys',
  singular: 'API key',
  dto: CreateApiKeyDto,
  onlyFromPrimary: true,
  sortableTimes: ['created_at'],
  countedFilters: [['user_id']],
  audit: { subject: 'api_key', kinds: ['created', 'updated', 'rotated', 'deleted'] },
  hidden: ['secrets'],
  derived: { secrets: ({ secrets }) => validSecrets(secrets) },
});
