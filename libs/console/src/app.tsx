import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { AccountView } from './account/account-view.js';
import { useConsole } from './console.js';
import { ListView } from './lists/list-view.js';
import { MemberView } from './members/member-view.js';
import { NewView } from './members/new-view.js';
import { Navigation } from './navigation.js';
import { Icon } from './parts/icon.js';
import { MessageBar, Notice, QuestionDialog } from './parts/feedback.js';
import { Page } from './parts/page.js';
import { useStore } from './parts/store.js';
import { Link } from './router/link.js';
import { ACCOUNT, routeOf } from './router/routes.js';
import { signOut } from './service/session.js';

/** The console of a signed-in user. */
export function App(): JSX.Element {
  const { settings, login, me, router } = useConsole();
  const { path } = useStore(router.place);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEffect(() => setMenuOpen(false), [path]);
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="bar">
        <button
          type="button"
          class="icon-button menu-button"
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name={isMenuOpen ? 'close' : 'menu'} />
        </button>
        <Link to="" class="brand">
          {settings.title}
        </Link>
        <a href={`${settings.baseUrl}/docs`} class="docs-link">
          API documentation
        </a>
        <Link to={ACCOUNT} class="user" isCurrent={path === ACCOUNT}>
          <Icon name="user" /> <span>{me.username}</span>
          <span class="hidden">My account</span>
        </Link>
        <button type="button" class="button quiet" onClick={() => void signOut(login, settings)}>
          Sign out
        </button>
      </header>
      <Navigation isOpen={isMenuOpen} path={path} />
      <main id="content" tabIndex={-1}>
        <Notice />
        <View key={path} />
      </main>
      <MessageBar />
      <QuestionDialog />
    </>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

function View(): JSX.Element {
  const { model, router } = useConsole();
  const { path, query } = useStore(router.place);
  const route = routeOf(model, path);
  switch (route.view) {
    case 'list':
      return <ListView collection={route.collection} path={route.path} search={query} />;
    case 'member':
      return <MemberView collection={route.collection} path={route.path} id={route.id} />;
    case 'new':
      if (route.collection.create === undefined) return <Unknown />;
      return <NewView collection={route.collection} action={route.collection.create} path={route.path} />;
    case 'account':
      return <AccountView />;
    case 'unknown':
      return <Unknown />;
  }
}

function Unknown(): JSX.Element {
  return (
    <Page title="Not found">
      <div class="page-head">
        <h1 tabIndex={-1}>Not found</h1>
      </div>
      <p class="empty">There is no such page. The navigation shows what you may read.</p>
    </Page>
  );
}
