import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Collection } from '../document/collection.js';
import { ownerOf } from '../document/paths.js';
import { sortOf } from '../lists/list-query.js';
import { ListRows } from '../lists/list-rows.js';
import { useWalk } from '../lists/use-walk.js';
import { Icon } from '../parts/icon.js';
import { Link } from '../router/link.js';
import { ActionDialog } from './action-dialog.js';
import type { Member } from './member.js';

interface Props {
  readonly collection: Collection;
  readonly path: string;
  readonly member: Member;
}

/** A list below a member. */
export function ChildList({ collection, path, member }: Props): JSX.Element {
  const { me, walks, router } = useConsole();
  const [isAdding, setAdding] = useState(false);
  const walk = useWalk(collection, path, {});
  const { create, replace } = collection;
  const mayCreate = create !== undefined && mayCall(create.operation, me, ownerOf(collection, path));
  const added = (): void => {
    walks.forget(collection.singular);
    void walk.load();
    void member.load();
  };
  // Members that are never changed, such as transitions, are made in a dialog.
  const isShort =
    replace === undefined && create !== undefined && create.fields.every(({ kind }) => kind !== 'objects');
  const add = (): void => (isShort ? setAdding(true) : void router.go(`${path}/new`));
  return (
    <section class="child">
      <div class="section-head">
        <h2>
          <Link to={path}>{collection.title}</Link>
        </h2>
        {mayCreate && (
          <button type="button" class="button" onClick={add}>
            <Icon name="add" /> New {collection.noun}
          </button>
        )}
      </div>
      <ListRows walk={walk} sort={sortOf(collection, {})} />
      {isAdding && create !== undefined && (
        <ActionDialog
          action={{ ...create, title: `New ${collection.noun}` }}
          member={path}
          subject={collection.title}
          onDone={added}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  );
}
