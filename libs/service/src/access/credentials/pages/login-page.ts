import { escaped } from '../../../http/request/html.js';
import { page } from './page.js';

export interface LoginPage {
  readonly client: string | undefined;
  readonly redirectUri: string;
  readonly username: string;
  readonly error?: string;
  readonly provider?: ProviderButton | undefined;
}

interface ProviderButton {
  readonly name: string;
  readonly action: string;
  readonly interaction: string;
  readonly only: boolean;
}

/** Shows an error above the fields. The fields refer to the error for screen readers. */
export function loginPage(about: LoginPage): string {
  const { client, redirectUri, error, provider } = about;
  return page({
    title: error === undefined ? 'Log in' : 'Error: Log in',
    main: `<h1>Log in</h1>
${client === undefined ? redirectNotice(redirectUri) : clientNotice(client)}
${error === undefined ? '' : `<p class="error" id="error" role="alert">${escaped(error)}</p>\n`}${provider === undefined ? '' : providerForm(provider)}${provider?.only === true ? '' : passwordForm(about)}`,
    footer: 'Check the address of this page before you type your password.',
  });
}

function providerForm({ name, action, interaction }: ProviderButton): string {
  return `<form method="post" action="${escaped(action)}">
<input type="hidden" name="interaction" value="${escaped(interaction)}">
<div class="buttons"><button type="submit">Continue with ${escaped(name)}</button></div>
</form>
`;
}

function passwordForm({ username, error, provider }: LoginPage): string {
  const described = error === undefined ? '' : ' aria-invalid="true" aria-describedby="error"';
  // After an error, the focus is on the password, or on an empty username.
  const [first, second] = error === undefined || username === '' ? [' autofocus', ''] : ['', ' autofocus'];
  return `<form method="post">
<label for="username">Username</label>
<input id="username" name="username" value="${escaped(username)}" autocomplete="username" autocapitalize="none"
 spellcheck="false" required maxlength="256"${first}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
 required maxlength="1024"${second}${described}>
<div class="buttons"><button type="submit"${provider === undefined ? '' : ' class="plain"'}>Log in</button></div>
</form>`;
}

function clientNotice(client: string): string {
  return `<p><strong>${escaped(client)}</strong> asks for access to your account. Log in to decide about it; your password
is not shown to ${escaped(client)}.</p>`;
}

function redirectNotice(redirectUri: string): string {
  return `<p>Log in to go on to <strong>${escaped(new URL(redirectUri).origin)}</strong>.</p>`;
}
