import type { ItemsClient } from '@items/client';
import type { Login } from '@items/client/oauth';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { Me } from './document/access.js';
import type { Model } from './document/model.js';
import type { Walks } from './lists/walks.js';
import type { Messages } from './parts/messages.js';
import type { Questions } from './parts/questions.js';
import type { Router } from './router/router.js';
import type { Connection } from './service/connection.js';
import type { Feed } from './service/feed.js';
import type { Labels } from './service/labels.js';
import type { PageSettings } from './service/settings.js';

/** Context of every view after the login. */
export interface Console {
  readonly settings: PageSettings;
  readonly login: Login;
  readonly client: ItemsClient;
  readonly connection: Connection;
  readonly model: Model;
  readonly me: Me;
  readonly router: Router;
  readonly messages: Messages;
  readonly questions: Questions;
  readonly labels: Labels;
  readonly feed: Feed;
  readonly walks: Walks;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === undefined) throw new Error('A view needs a ConsoleContext.');
  return console;
}
