import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Action, Collection } from '../document/collection.js';
import { OWN } from '../document/model.js';
import { sortOf } from '../lists/list-query.js';
import { ListRows } from '../lists/list-rows.js';
import { useWalk } from '../lists/use-walk.js';
import { ActionDialog } from '../members/action-dialog.js';
import { Page } from '../parts/page.js';
import { Link } from '../router/link.js';
import { ACCOUNT } from '../router/routes.js';

/** Lists of the account, by their paths. */
const LISTS: Readonly<Record<string, string>> = {
  '/sessions': 'Sessions',
  '/api-keys': 'API keys',
  '/users/me/grants': 'Approved applications',
};

/** The user's own sessions, keys, approved applications and password. */
export function AccountView(): JSX.Element {
  const { me, model } = useConsole();
  const [action, setAction] = useState<Action | undefined>();
  const lists = model.collections.filter(({ path, list }) => path in LISTS && mayCall(list, me));
  const own = model.collections.filter(
    ({ path, list }) => path.startsWith('/users/{') && isMine(path) && mayCall(list, me),
  );
  return (
    <Page title="My account">
      <div class="page-head">
        <h1 tabIndex={-1}>My account</h1>
        <div class="actions">
          {model.ownActions
            .filter(({ operation }) => mayCall(operation, me))
            .map((each) => (
              <button key={each.path} type="button" class="button" onClick={() => setAction(each)}>
                {each.title}
              </button>
            ))}
        </div>
      </div>
      <div class="card account">
        <span class="avatar" aria-hidden="true">
          {me.username.slice(0, 1).toUpperCase()}
        </span>
        <div>
          <strong>{me.username}</strong> <span class="badge on">{me.role}</span>
          <p class="hint">{me.scopes.join(', ')}</p>
          <p>
            {own.map(({ path, title }) => (
              <Link key={path} to={OWN + path.slice(path.lastIndexOf('/') + 1)}>
                My {title.toLowerCase()}
              </Link>
            ))}
          </p>
        </div>
      </div>
      {lists.map((collection) => (
        <AccountList key={collection.path} collection={collection} />
      ))}
      {action !== undefined && (
        <ActionDialog
          action={action}
          member={ACCOUNT}
          subject={me.username}
          onDone={() => undefined}
          onClose={() => setAction(undefined)}
        />
      )}
    </Page>
  );
}

function AccountList({ collection }: { readonly collection: Collection }): JSX.Element {
  const walk = useWalk(collection, collection.path, {});
  return (
    <section class="child">
      <div class="section-head">
        <h2>
          <Link to={collection.path}>{LISTS[collection.path] ?? collection.title}</Link>
        </h2>
      </div>
      <ListRows walk={walk} sort={sortOf(collection, {})} />
    </section>
  );
}

/** A list directly below a user. */
function isMine(path: string): boolean {
  return path.split('/').length === 4;
}
