import { onlineManager, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type FunctionComponent } from 'react';
import { AuthenticationError, type ItemsClient } from '@items/client';
import type { Login } from '@items/client/oauth';

import { AuditView } from './audit';
import { ConsoleContext } from './context';
import { ItemsView } from './items';
import { KeysView } from './keys';
import { Message, useMessage } from './message';
import { OrdersView } from './orders';
import { WebhooksView } from './webhooks';

interface View {
  readonly title: string;
  readonly isForAdmins?: boolean;
  readonly Body: FunctionComponent;
}

const items: View = { title: 'Items', Body: ItemsView };
const VIEWS: Readonly<Record<string, View>> = {
  items,
  orders: { title: 'Orders', Body: OrdersView },
  keys: { title: 'API keys', Body: KeysView },
  webhooks: { title: 'Webhooks', isForAdmins: true, Body: WebhooksView },
  changes: { title: 'Changes', isForAdmins: true, Body: AuditView },
};

interface Props {
  readonly login: Login;
  readonly client: ItemsClient;
  readonly baseUrl: string;
}

export function App({ login, client, baseUrl }: Props) {
  const { said, say } = useMessage();
  const isOnline = useSyncExternalStore(subscribeOnline, () => onlineManager.isOnline());
  const name = useHash();
  const { title, Body } = VIEWS[name] ?? items;
  const heading = useRef<HTMLHeadingElement>(null);
  const queries = useQueryClient();
  const me = useQuery({
    queryKey: ['users', 'me'],
    queryFn: ({ signal }) => client.users.me({ signal }),
    retry: false,
  });
  const isAdmin = me.data === undefined || me.data.role === 'admin';
  const context = useMemo(() => ({ client, me: me.data, say }), [client, me.data, say]);

  useEffect(() => {
    document.title = `${title} – Items console`;
    heading.current?.focus();
  }, [title]);

  const signOut = async () => {
    // The tokens are forgotten in any case.
    await login.logout().catch(() => undefined);
    queries.clear();
    location.assign(`${baseUrl.replace(/\/$/, '')}/oauth/logout`);
  };

  return (
    <ConsoleContext value={context}>
      <header>
        <a className="skip" href={`#${name}`} onClick={() => heading.current?.focus()}>
          Skip to the content
        </a>
        <strong>Items console</strong>
        <nav aria-label="Views">
          {Object.entries(VIEWS)
            .filter(([, { isForAdmins = false }]) => isAdmin || !isForAdmins)
            .map(([path, view]) => (
              <a key={path} href={`#${path}`} aria-current={view.title === title ? 'page' : undefined}>
                {view.title}
              </a>
            ))}
        </nav>
        <button onClick={() => void signOut()}>Sign out{me.data ? ` ${me.data.username}` : ''}</button>
      </header>
      <main>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Message said={said} onDismiss={() => say('')} />
        <p role="status">{isOnline ? '' : 'You are offline. Lists go on when you are back.'}</p>
        {me.error instanceof AuthenticationError ? (
          <p role="alert">
            Your login has ended. <a href="/">Sign in again</a>
          </p>
        ) : (
          <Body />
        )}
      </main>
    </ConsoleContext>
  );
}

function subscribeOnline(onChange: () => void) {
  return onlineManager.subscribe(onChange);
}

function useHash(): string {
  const [hash, setHash] = useState(location.hash.slice(1));
  useEffect(() => {
    const read = () => setHash(location.hash.slice(1));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return hash in VIEWS ? hash : 'items';
}
