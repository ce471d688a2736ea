import { escaped } from '@items/http';

import { page } from './page.js';

/** What a login page is about. */
export interface LoginPage {
  /** The name of the client that asks. */
  readonly client: string;
  /** As it was typed before; empty at first. */
  readonly username: string;
  /** What went wrong, as a sentence; undefined at first. */
  readonly error?: string;
}

/** Asks for name and password. What is wrong is said above the fields, and tied to them. */
export function loginPage({ client, username, error }: LoginPage): string {
  const described = error === undefined ? '' : ' aria-invalid="true" aria-describedby="error"';
  // After a mistake the cursor stands where it is most often needed: in the password.
  const [first, second] = error === undefined || username === '' ? [' autofocus', ''] : ['', ' autofocus'];
  return page({
    title: error === undefined ? 'Log in' : 'Error: Log in',
    main: `<h1>Log in</h1>
<p><strong>${escaped(client)}</strong> asks for access to your account. Log in to decide about it; your password
is not shown to ${escaped(client)}.</p>
${error === undefined ? '' : `<p class="error" id="error" role="alert">${escaped(error)}</p>\n`}<form method="post">
<label for="username">Username</label>
<input id="username" name="username" value="${escaped(username)}" autocomplete="username" autocapitalize="none"
 spellcheck="false" required maxlength="256"${first}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password"
 required maxlength="1024"${second}${described}>
<div class="buttons"><button type="submit">Log in</button></div>
</form>`,
    footer: 'Check the address of this page before you type your password.',
  });
}
