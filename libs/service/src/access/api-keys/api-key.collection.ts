import { defineCollection } from '../../data/definition/define-collection.js';
import type { ApiKey, ApiKeySecret } from '@items/dtos/contract';
import { CreateApiKeyDto } from '@items/dtos';
import { RotatingSecrets, validSecrets } from '../credentials/secrets/rotating-secrets.js';

interface HiddenColumns {
  /** JSON of `StoredSecret`s, newest first: a copy of the public data in `api_key_secrets`. */
  readonly secrets: string;
}

export const apiKeyCollection = defineCollection<CreateApiKeyDto, ApiKey, HiddenColumns>({
  name: 'api_keys',
  singular: 'API key',
  dto: CreateApiKeyDto,
  onlyFromPrimary: true,
  sortableTimes: ['created_at'],
  countedFilters: [['user_id']],
  audit: { subject: 'api_key', kinds: ['created', 'updated', 'rotated', 'deleted'] },
  hidden: ['secrets'],
  derived: { secrets: ({ secrets }) => validSecrets(secrets) as ApiKeySecret[] },
});

export const apiKeySecrets = new RotatingSecrets({
  name: 'api_key_secrets',
  owner: 'api_key_id',
  secret: 'hash',
  shown: ['created_at', 'expires_at', 'last_used_at'],
});
