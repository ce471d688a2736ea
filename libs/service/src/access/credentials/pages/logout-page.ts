import { escaped } from '../../../http/request/html.js';
import { page } from './page.js';

export function logoutPage(username: string | undefined): string {
  if (username === undefined) {
    return page({
      title: 'You are logged out',
      main: `<h1>You are logged out</h1>
<p>Nobody is logged in with this browser. Applications keep the access that you gave them.</p>`,
    });
  }
  return page({
    title: 'Log out?',
    main: `<h1>Log out?</h1>
<p>You are logged in as <strong>${escaped(username)}</strong>.</p>
<form method="post">
<div class="buttons"><button type="submit">Log out</button></div>
</form>`,
    footer: 'Applications keep the access that you gave them.',
  });
}
