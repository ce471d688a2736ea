import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { StartRefusedError } from '../../data/definition/start-refused.js';

const PREFIX =
  'app.setGlobalPrefix() would change the paths of the service: write the prefix into BASE_URL, and let the proxy remove it.';
const LISTEN = 'app.listen() is called by startService(): set HOST and PORT, and remove the call.';
const TOO_LATE = [
  'useGlobalFilters',
  'useGlobalGuards',
  'useGlobalInterceptors',
  'useGlobalPipes',
  'useWebSocketAdapter',
];

/** Wraps the Nest application: a method throws if its call would have no effect. */
export function checkedApp(target: NestFastifyApplication, isStarted: () => boolean): NestFastifyApplication {
  const app: NestFastifyApplication = new Proxy(target, {
    get: (_target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        requireEffect(String(name), isStarted());
        const result: unknown = Reflect.apply(member, target, args);
        return result === target ? app : result;
      };
    },
  });
  return app;
}

function requireEffect(name: string, isStarted: boolean): void {
  if (name === 'setGlobalPrefix') throw new StartRefusedError(PREFIX);
  if (name === 'listen') throw new StartRefusedError(LISTEN);
  if (!isStarted || !TOO_LATE.includes(name)) return;
  throw new StartRefusedError(
    `app.${name}() has no effect after the start: call it in the option configure of startService().`,
  );
}
