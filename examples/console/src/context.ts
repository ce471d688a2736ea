import { createContext, useContext } from 'react';
import type { ItemsClient, User } from '@items/client';

/** What every view needs. */
export interface Console {
  readonly client: ItemsClient;
  /** Undefined while it is read, and where the credential is no user's. */
  readonly me: User | undefined;
  /** Says something to everybody, those included who hear the page. An error stays until it is dismissed. */
  say(what: string | Error): void;
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const console = useContext(ConsoleContext);
  if (console === undefined) throw new Error('A view stands in the App.');
  return console;
}
