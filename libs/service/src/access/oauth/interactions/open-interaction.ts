import type { Provider } from 'oidc-provider';

import type { RegisteredClient } from '../clients/client-registry.js';

export type InteractingClient = Pick<RegisteredClient, 'id' | 'name' | 'grant_types'>;

/** A login or consent page that waits for input. */
export interface OpenInteraction {
  readonly model: Awaited<ReturnType<Provider['interactionDetails']>>;
  readonly client: InteractingClient;
  readonly redirectUri: string;
  readonly scope: string;
}

export type Outcome =
  | {
      readonly kind: 'again';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly html: string;
    }
  | { readonly kind: 'on'; readonly location: string };
