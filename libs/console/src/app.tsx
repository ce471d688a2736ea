import { useRef, useState } from 'preact/hooks';

import { AccountView } from './account/account-view.js';
import { session } from './session.js';
import { OWN } from './document/model.js';
import { ListView, titleOf } from './lists/list-view.js';
import { MemberView, NewView } from './members/member-view.js';
import { Button, Icon, Link } from './parts/elements.js';
import { Feedback } from './parts/feedback.js';
import { Page } from './router/page.js';
import { router } from './router/router.js';
import { ACCOUNT, routeOf } from './router/routes.js';
import { notice } from './service/connection.js';
import { signOut } from './service/login.js';
import { settings } from './service/settings.js';

export function App() {
  const { path } = router.place.value;
  // The menu is open only at this path, so that navigation closes it.
  const [menuPath, setMenuPath] = useState<string | undefined>();
  const isMenuOpen = menuPath === path;
  const main = useRef<HTMLElement>(null);
  const menu = { icon: isMenuOpen ? 'close' : 'menu', 'aria-label': 'Menu', 'aria-expanded': isMenuOpen } as const;
  return (
    <>
      <Button class="skip" onClick={() => main.current?.focus()} children="Skip to the content" />
      <header class="bar">
        <Button class="icon-button menu-button" {...menu} onClick={() => setMenuPath(isMenuOpen ? undefined : path)} />
        <Link to="" class="brand" children={settings.title} />
        <a href={`${settings.baseUrl}/docs`} class="docs-link" children="API documentation" />
        <Link to={ACCOUNT} class="user" isCurrent={path === ACCOUNT}>
          <Icon name="user" /> <span>{session.me.username}</span>
          <span class="hidden">My account</span>
        </Link>
        <Button class="button quiet" onClick={() => void signOut()} children="Sign out" />
      </header>
      <Navigation isOpen={isMenuOpen} path={path} />
      <main ref={main} tabIndex={-1}>
        <div role="status">{notice.value && <p class="notice">{notice.value}</p>}</div>
        <View key={path} path={path} />
      </main>
      <Feedback />
    </>
  );
}

/** Paths of the collections that every service has. */
const BUILT_IN = ['/users', '/api-keys', '/clients', '/sessions', '/webhooks', '/audit-events', '/events'];

/** Navigation entries, one for each list that the user may read. Built-in collections come last. */
export function entriesOf(): readonly { readonly to: string; readonly title: string }[] {
  const { model, may } = session;
  const entries = model.collections.flatMap((collection) => {
    const { path, list } = collection;
    // A list directly below users gets an entry for the current user. Other nested lists are in the view of their parent.
    const to = path.replace(/^\/users\/\{[^{}]*\}\/([^/{}]+)$/, `${OWN}$1`);
    if (to.includes('{') || path.startsWith(OWN) || !may(list, to)) return [];
    return [{ to, title: titleOf(collection, to) }];
  });
  return entries.sort((one, other) => Number(BUILT_IN.includes(one.to)) - Number(BUILT_IN.includes(other.to)));
}

function Navigation({ isOpen, path }: { readonly isOpen: boolean; readonly path: string }) {
  const entries = entriesOf();
  // The current entry has the longest path that is a prefix of the current path.
  const above = path === ACCOUNT ? [] : entries.filter(({ to }) => `${path}/`.startsWith(`${to}/`));
  const current = above.toSorted((one, other) => other.to.length - one.to.length)[0];
  const groups = Object.groupBy(entries, ({ to }) => (BUILT_IN.includes(to) ? 'Administration' : 'Collections'));
  return (
    <nav class={isOpen ? 'side open' : 'side'} aria-label="Collections">
      {Object.entries(groups).map(([name, group]) => (
        <div key={name}>
          <h2>{name}</h2>
          <ul>
            {group.map((entry) => (
              <li key={entry.to}>
                <Link to={entry.to} isCurrent={entry === current} children={entry.title} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function View({ path }: { readonly path: string }) {
  const route = routeOf(session.model, path);
  if (route.view === 'account') return <AccountView />;
  if (route.view === 'list') return <ListView {...route} />;
  if (route.view === 'member') return <MemberView {...route} />;
  if (route.view === 'new') return <NewView {...route} />;
  return (
    <Page title="Not found" path="">
      <p class="empty">There is no such page. The navigation shows what you may read.</p>
    </Page>
  );
}
