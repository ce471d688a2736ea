import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { StartRefusedError } from '../../data/definition/start-refused.js';

const PREFIX =
  'app.setGlobalPrefix() would change the paths of the service: write the prefix into BASE_URL, and let the proxy remove it.';
const LISTEN = 'app.listen() is called by startService(): set HOST and PORT, and leave it out.';
const TOO_LATE = [
  'useGlobalFilters',
  'useGlobalGuards',
  'useGlobalInterceptors',
  'useGlobalPipes',
  'useWebSocketAdapter',
];

/** Wraps the application for a team. A method that would have no effect throws an error instead. */
export class SeenApp {
  readonly app: NestFastifyApplication;
  private isStarted = false;

  constructor(target: NestFastifyApplication) {
    this.app = new Proxy(target, {
      get: (_target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          this.requireEffect(name);
          const result: unknown = Reflect.apply(member, target, args);
          return result === target ? this.app : result;
        };
      },
    });
  }

  markStarted(): void {
    this.isStarted = true;
  }

  private requireEffect(name: string | symbol): void {
    if (name === 'setGlobalPrefix') throw new StartRefusedError(PREFIX);
    if (name === 'listen') throw new StartRefusedError(LISTEN);
    if (!this.isStarted || !TOO_LATE.includes(String(name))) return;
    throw new StartRefusedError(
      `app.${String(name)}() has no effect after the start: call it in the option configure of startService().`,
    );
  }
}
