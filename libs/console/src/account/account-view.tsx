import { session } from '../session.js';
import { OWN } from '../document/model.js';
import { ListSection } from '../lists/list-rows.js';
import { Actions } from '../members/actions.js';
import { Page } from '../router/page.js';
import { ACCOUNT } from '../router/routes.js';

const LISTS: Readonly<Record<string, string>> = {
  '/sessions': 'Sessions',
  '/api-keys': 'API keys',
  [`${OWN}grants`]: 'Approved applications',
};

export function AccountView() {
  const { me, model, may } = session;
  const { username, role, scopes } = me;
  const shown = model.collections.filter(({ path, list }) => path in LISTS && may(list, path));
  const head = (
    <div class="actions">
      <Actions actions={model.ownActions} path={ACCOUNT} subject={username} onDone={() => undefined} />
    </div>
  );
  return (
    <Page title="My account" path="" head={head}>
      <div class="card">
        <strong>{username}</strong> <span class="badge on">{role}</span>
        <p class="hint">{scopes.join(', ')}</p>
      </div>
      {shown.map((collection) => (
        <ListSection {...{ collection, path: collection.path, title: LISTS[collection.path] }} key={collection.path} />
      ))}
    </Page>
  );
}
