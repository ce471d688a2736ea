import { createServer } from 'node:net';

import { ConfigError } from '../settings/config-error.js';
import { listening, startError } from './fail-start.js';

function listenError(code: string): Error {
  return Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen' });
}

describe('The error of a failed start', () => {
  it.each([
    ['EADDRINUSE', /^PORT is taken by another process/],
    ['EACCES', /^PORT may not be used by this user/],
    ['EADDRNOTAVAIL', /^HOST is not an address of this machine/],
  ])('%s names the variable, and has no stack', (code, sentence) => {
    const error = startError(listenError(code)) as Error & { code?: string };
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.message).toMatch(sentence);
    expect(error.stack).toBe(`${error.name}: ${error.message}`);
    expect(error.code).toBe(code);
  });

  it('names the variable of another port', async () => {
    const failed = listening('HEALTH_PORT', Promise.reject(listenError('EADDRINUSE')));
    const error = startError(await failed.catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/^HEALTH_PORT is taken by another process/);
  });

  it('is one sentence for a port that is taken', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const second = createServer();
    const thrown = await new Promise((resolve) => second.once('error', resolve).listen(port, '127.0.0.1'));
    server.close();
    expect(startError(thrown)).toBeInstanceOf(ConfigError);
  });

  it('keeps its stack if it was unexpected', () => {
    const error = new TypeError('x is undefined');
    const { stack } = error;
    expect(startError(error)).toBe(error);
    expect(error.stack).toBe(stack);
    expect(startError('a text')).toBe('a text');
  });
});
