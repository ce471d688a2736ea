import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Collection } from '../document/collection.js';
import { Walk } from '../lists/walk.js';
import { Changes } from './changes.js';

/** The changes of one member, if the user may read them. */
export function MemberChanges({ id }: { readonly id: string }): JSX.Element | null {
  const { model, me } = useConsole();
  const audit = model.collections.find(({ singular }) => singular === 'audit_event');
  return audit !== undefined && mayCall(audit.list, me) ? <Shown audit={audit} id={id} /> : null;
}

function Shown({ audit, id }: { readonly audit: Collection; readonly id: string }): JSX.Element {
  const { client } = useConsole();
  const walk = useMemo(() => {
    const made = new Walk(client, audit, audit.path.slice(1), { object_id: id }, 10);
    void made.load();
    return made;
  }, [client, audit, id]);
  return (
    <aside class="card aside" aria-label="Changes">
      <h2>Changes</h2>
      <Changes walk={walk} isOfMember />
    </aside>
  );
}
