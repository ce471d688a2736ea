import { mayCall, type Me } from './document/access.js';
import { modelOf } from './document/model.js';
import type { ApiDocument, Operation } from './document/openapi.js';
import { Lists } from './lists/list.js';
import { Feed } from './service/feed.js';
import { Labels } from './service/labels.js';
import { createOwnClient, ownLogin } from './service/login.js';
import { settings } from './service/settings.js';

/** State that all views share. `openSession` sets it before the first view is shown. */
export let session: Awaited<ReturnType<typeof createSession>>;

/** @throws {AuthenticationError} The login has ended. */
export async function openSession(): Promise<void> {
  session = await createSession();
}

async function createSession() {
  const client = await createOwnClient(false);
  const [document, user] = await Promise.all([readDocument(), client.users.me()]);
  const me = user as unknown as Me;
  const lists = new Lists(client);
  const feed = new Feed(await createOwnClient(true));
  feed.listeners.add((event) => lists.apply(event));
  /** Whether the user may call an operation. @param path See {@link mayCall}. */
  const may = (operation: Operation | undefined, path: string): boolean => mayCall(operation, me, path);
  return { client, me, model: modelOf(document), labels: new Labels(client), lists, feed, may };
}

/** Sends the user's token, so that the request counts in the user's quota, not in the network's. */
async function readDocument(): Promise<ApiDocument> {
  const token = await (await ownLogin().resume())?.token();
  const headers = { authorization: `Bearer ${String(token)}` };
  const url = `${settings.base.replace(/console$/, '')}openapi.json`;
  const response = await fetch(url, { headers, credentials: 'omit' });
  if (!response.ok) throw new Error('The service does not send its document. Try again in a minute.');
  return (await response.json()) as ApiDocument;
}
