import { createClient, type ItemsClient } from '@items/client';
import { startApp, type RunningApp } from '@items/testing';

import { describeInBrowser } from '../harness/chromium.js';
import { PASSWORD } from '../harness/users.js';

const ROLES = ['viewer', 'member', 'admin'] as const;

export class ServiceUnderTest {
  app!: RunningApp;

  /** Not 127.0.0.1: the console accepts only the host name of `BASE_URL`. */
  get baseUrl(): string {
    return `http://localhost:${String(this.app.port)}`;
  }

  get admin(): ItemsClient {
    return adminOf(this.app);
  }
}

/** `describe` for specs of a console. Stops the service after all windows are closed. */
export function describeConsole(
  title: string,
  start: () => Promise<RunningApp>,
  specs: (service: ServiceUnderTest) => void,
): void {
  describeInBrowser(title, () => {
    const service = new ServiceUnderTest();
    beforeAll(async () => {
      service.app = await start();
    });
    specs(service);
    afterAll(() => service.app.stop());
  });
}

/** Starts the service with a user of each role, and 120 items: `Mug 000` to `Mug 119`. */
export async function startShop(): Promise<RunningApp> {
  const app = await startApp({ database: 'sqlite' });
  const admin = adminOf(app);
  for (const role of ROLES) await admin.users.create({ username: `the-${role}`, password: PASSWORD, role });
  for (let price = 0; price < 120; price += 1) {
    const color = price % 2 === 0 ? 'blue' : 'red';
    await admin.items.create({ name: `Mug ${String(price).padStart(3, '0')}`, price, color });
  }
  return app;
}

function adminOf({ baseUrl, adminKey }: RunningApp): ItemsClient {
  return createClient({ baseUrl, auth: { apiKey: adminKey } });
}
