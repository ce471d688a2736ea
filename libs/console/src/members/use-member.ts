import { useEffect, useMemo } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Collection } from '../document/collection.js';
import { useStore } from '../parts/store.js';
import { Member } from './member.js';

/** Reads a member, and notices the changes of others while it is shown. */
export function useMember(collection: Collection, path: string, id: string): Member {
  const { client, feed } = useConsole();
  const member = useMemo(() => new Member(client, collection, path), [client, collection, path, id]);
  useEffect(() => void member.load(), [member]);
  const isShown = useStore(member.state).row !== undefined;
  useEffect(() => (isShown ? feed.listen((event) => member.apply(event)) : undefined), [feed, member, isShown]);
  return member;
}
