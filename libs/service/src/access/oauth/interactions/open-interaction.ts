import type { Provider } from 'oidc-provider';

import type { RegisteredClient } from '../clients/client-registry.js';

/** What our pages say of a client. */
export type InteractingClient = Pick<RegisteredClient, 'id' | 'name' | 'grant_types'>;

/** A page of ours that waits for an answer. */
export interface OpenInteraction {
  readonly model: Awaited<ReturnType<Provider['interactionDetails']>>;
  readonly client: InteractingClient;
  readonly redirectUri: string;
  /** What the client asks for, within what it may. */
  readonly scope: string;
}

/** What comes of an answer: the page once more, or the way on. */
export type Outcome =
  | {
      readonly kind: 'again';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly html: string;
    }
  | { readonly kind: 'on'; readonly location: string };
