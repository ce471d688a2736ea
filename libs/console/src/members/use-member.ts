import type { Event } from '@items/client';
import { useEffect, useState } from 'preact/hooks';

import { session } from '../session.js';
import type { Collection } from '../document/model.js';
import { splitPath } from '../document/paths.js';
import { idOf, type Row, type Version } from '../service/rows.js';

/** Reads a member. `isStale` is true after a change by another user. */
export function useMember({ singular, get }: Collection, path: string) {
  const { client, feed } = session;
  const [state, setState] = useState<{ version?: Version; error?: unknown; isStale?: boolean }>({});
  const [list, id] = splitPath(path.slice(1));
  const show = (version: Version): void => setState({ version });
  const read = async (): Promise<Version> => {
    const members = client.collection<Row>(list);
    if (get !== undefined) return members.get(id).withResponse();
    // If no operation reads one member, search the list.
    for await (const data of members.walk()) if (idOf(data) === id) return { data, etag: undefined };
    throw new Error('There is no such member, or it has ended.');
  };
  const load = (): void => void read().then(show, (error: unknown) => setState((before) => ({ ...before, error })));
  useEffect(load, [path]);
  const isShown = state.version !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const apply = ({ type, data }: Event): void => {
      const changed = data.object as unknown as Row;
      if (!type.startsWith(`${singular}.`) || idOf(changed) !== id) return;
      // Ignores the event of the user's own change, whose `updated_at` is already shown.
      setState((before) => {
        const isNew = changed['updated_at'] !== before.version?.data['updated_at'];
        return isNew ? { ...before, isStale: true } : before;
      });
    };
    feed.listeners.add(apply);
    feed.start();
    return () => void feed.listeners.delete(apply);
  }, [path, isShown]);
  return { ...state, read, load, show };
}
