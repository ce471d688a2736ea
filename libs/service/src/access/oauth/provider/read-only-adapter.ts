import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Base class of adapters for models that oidc-provider only reads. Other parts of the service write them. */
export abstract class ReadOnlyAdapter implements Adapter {
  abstract find(id: string): Promise<AdapterPayload | undefined>;

  upsert(): Promise<void> {
    return Promise.reject(new Error('oidc-provider only reads this.'));
  }

  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  consume(): Promise<void> {
    return Promise.resolve();
  }

  destroy(_id: string): Promise<void> {
    return Promise.resolve();
  }

  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }
}
