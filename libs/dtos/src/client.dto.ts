import { CLIENT_AUTH_METHODS, GRANT_TYPES, type ClientAuthMethod, type GrantType } from './contract/client.js';
import { SCOPES, type Scope } from './contract/scope.js';
import { Choice, Choices, KeptIfAbsent, ReadOnly, replacementOf, RowId, Sortable, Text, Texts } from '@items/fields';
import { explainRedirectUri, REDIRECT_URI } from './redirect-uri.js';

/** The body of a creation; responses add the read-only fields. SPEC §5 */
@ReadOnly('id', 'created_at', 'updated_at', 'client_secret')
export class CreateClientDto {
  @Sortable()
  @Text({
    min: 1,
    max: 200,
    trim: true,
    description: 'Shown to users who may approve the client.',
    example: 'Web shop',
  })
  name!: string;

  @KeptIfAbsent()
  @Choices(GRANT_TYPES, {
    description: 'How the client may get tokens; by default `authorization_code` and `refresh_token`.',
    example: ['authorization_code', 'refresh_token'],
  })
  grant_types: GrantType[] | undefined;

  @Texts({
    maxItems: 20,
    max: 2000,
    each: {
      matches: REDIRECT_URI,
      expected: 'https addresses without a fragment (http only on localhost, 127.0.0.1 and [::1])',
      explain: explainRedirectUri,
    },
    description: 'Where a code may be sent; compared character by character.',
    example: ['https://shop.example/callback'],
  })
  redirect_uris!: string[];

  @Choices(SCOPES, {
    description: 'Scopes that the client may request; never more than those of the credential that makes the request.',
    example: ['items:read'],
  })
  scopes!: Scope[];

  @KeptIfAbsent()
  @Choice(CLIENT_AUTH_METHODS, {
    description: 'How the client authenticates; `none` if it cannot store a secret. It never changes.',
    example: 'client_secret_basic',
  })
  token_endpoint_auth_method: ClientAuthMethod | undefined;

  @ReadOnly()
  @RowId({ description: 'Equal to `id`, under its name in RFC 6749.' })
  readonly client_id?: undefined;
}

export class ReplaceClientDto extends replacementOf(CreateClientDto, 'redirect_uris', 'scopes') {}
