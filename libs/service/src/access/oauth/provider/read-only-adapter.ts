import type { Adapter, AdapterPayload } from 'oidc-provider';

/** oidc-provider only reads these models. Other parts of the service write them. */
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
