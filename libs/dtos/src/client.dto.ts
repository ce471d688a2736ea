import { GRANT_TYPES, SCOPES, type GrantType, type Scope } from '@items/contracts';

import { Choices } from './fields/choices.js';
import { KeptIfAbsent, ReadOnly } from './fields/presence.js';
import { Text } from './fields/text.js';
import { Texts } from './fields/texts.js';
import { REDIRECT_URI } from './redirect-uri.js';

const MAX_REDIRECT_URIS = 20;
const MAX_URI_LENGTH = 2000;

const SCOPES_NOTES = {
  description: 'What the client may ask for; never more than the credential that makes the request.',
  example: ['items:read'],
};

const GRANT_TYPES_NOTES = {
  description: 'How the client may come by tokens; at first `authorization_code` and `refresh_token`.',
  example: ['authorization_code', 'refresh_token'],
};

/** What registration and replacement of a client have in common. */
abstract class ClientSettingsDto {
  @Text({ min: 1, max: 200, trim: true, description: 'Shown to those who are asked to approve.', example: 'Web shop' })
  name!: string;

  @Texts({
    maxItems: MAX_REDIRECT_URIS,
    max: MAX_URI_LENGTH,
    each: {
      matches: REDIRECT_URI,
      expected: 'https addresses without a fragment (http only on localhost, 127.0.0.1 and [::1])',
    },
    description: 'Where a code may be sent; compared character by character.',
    example: ['https://shop.example/callback'],
  })
  redirect_uris!: string[];

  @KeptIfAbsent()
  @Choices(GRANT_TYPES, GRANT_TYPES_NOTES)
  grant_types: GrantType[] | undefined;
}

/** The body of `POST /clients`. SPEC §5 */
@ReadOnly('id', 'created_at', 'updated_at', 'client_id', 'client_secret')
export class CreateClientDto extends ClientSettingsDto {
  @Choices(SCOPES, SCOPES_NOTES)
  scopes!: Scope[];
}

/** The body of `PUT /clients/{id}`: `scopes` and `grant_types` left out stay as they are. SPEC §5, decisions §2 */
@ReadOnly('id', 'created_at', 'updated_at', 'client_id', 'client_secret')
export class ReplaceClientDto extends ClientSettingsDto {
  @KeptIfAbsent()
  @Choices(SCOPES, SCOPES_NOTES)
  scopes: Scope[] | undefined;
}
