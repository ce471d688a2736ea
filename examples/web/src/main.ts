import { AuthenticationError, createClient } from '@items/client';

import { byId } from './by-id.js';
import { fieldText, onSubmit } from './form.js';
import { startItemForm } from './item-form.js';
import { startItemList } from './item-list.js';

const signIn = byId('sign-in-form', HTMLFormElement);

onSubmit(signIn, async () => {
  // The client sends the password once and stores the tokens in memory: a reload signs out.
  const session = { username: fieldText(signIn, 'username'), password: fieldText(signIn, 'password') };
  const client = createClient({
    baseUrl: import.meta.env.VITE_ITEMS_URL ?? 'http://localhost:3000',
    auth: { session: { ...session, scope: 'items:read items:write' } },
  });
  await client.items.page({ per_page: 1 }).catch((error: unknown) => {
    throw error instanceof AuthenticationError ? new Error('The username or the password is wrong.') : error;
  });
  byId('sign-in', HTMLElement).hidden = true;
  byId('shop', HTMLElement).hidden = false;
  const list = startItemList(client.items);
  const form = byId('item-form', HTMLFormElement);
  startItemForm(form, client.items, list.add);
  form.querySelector('input')?.focus();
});
