import type { Scope } from '@items/dtos/contract';
import { escaped } from '../../../http/request/html.js';
import { ACCESS_TOKEN_SECONDS, formatDuration, REFRESH_TOKEN_SECONDS } from '../tokens/lifetimes.js';
import { page } from './page.js';

export interface ConsentPage {
  readonly client: string;
  readonly username: string;
  /** Requested scopes that the user can approve. May be empty. */
  readonly scopes: readonly Scope[];
  /** True if the client may renew its access while the user is away. */
  readonly lasting: boolean;
  readonly redirectUri: string;
}

export function consentPage({ client, username, scopes, lasting, redirectUri }: ConsentPage): string {
  const name = escaped(client);
  if (scopes.length === 0) return nothingToGrant(client, username);
  const items = scopes.map((scope) => `<li>${scopeSentence(scope)} <code>${scope}</code></li>`);
  const duration = lasting
    ? `${name} keeps this access until you take it back, or has not used it for ${formatDuration(REFRESH_TOKEN_SECONDS)}.`
    : `${name} has this access for ${formatDuration(ACCESS_TOKEN_SECONDS)}.`;
  return page({
    title: `Allow ${client}?`,
    main: `<h1>Allow ${name} to use your account?</h1>
<p>You are logged in as <strong>${escaped(username)}</strong>.</p>
<h2 id="scopes">${name} would be able to</h2>
<ul class="scopes" aria-labelledby="scopes">
${items.join('\n')}
</ul>
<dl>
<dt>How long</dt>
<dd>${duration}</dd>
<dt>Where you go next</dt>
<dd>${escaped(new URL(redirectUri).origin)}</dd>
</dl>
<form method="post">
<div class="buttons">
<button name="decision" value="allow">Allow</button>
<button class="plain" name="decision" value="deny">Deny</button>
<button class="plain" name="decision" value="switch">Use another account</button>
</div>
</form>`,
    footer: `You can take this back at any time. Deny if you did not ask ${name} for anything.`,
  });
}

function nothingToGrant(client: string, username: string): string {
  const name = escaped(client);
  return page({
    title: `${client} asks for permissions that you do not have`,
    main: `<h1>${name} asks for permissions that you do not have</h1>
<p>You are logged in as <strong>${escaped(username)}</strong>. Your account has none
of the permissions that ${name} asks for. Ask the operator of this service for them, or go back.</p>
<form method="post">
<div class="buttons"><button name="decision" value="deny">Go back</button></div>
</form>`,
  });
}

/** The sentences say "your", because an application acts only for its user, even if the user may act for others. */
const SENTENCES: Readonly<Partial<Record<Scope, string>>> = {
  'orders:read': 'See your own orders',
  'orders:write': 'Place orders for you, confirm and cancel them',
  'users:read': 'See your username, name, e-mail address and role',
  'keys:manage': 'Create API keys for you, and change and delete those that it created; they end with this access',
};

/** Completes the heading "… would be able to". */
export function scopeSentence(scope: Scope): string {
  const [collection = '', action] = scope.split(':');
  const members = collection.replaceAll('-', ' ');
  return SENTENCES[scope] ?? `${action === 'read' ? 'See' : 'Create, change and delete'} ${members}`;
}
