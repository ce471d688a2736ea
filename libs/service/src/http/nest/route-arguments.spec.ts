import { createParamDecorator, type ExecutionContext, Param, Req, Res } from '@nestjs/common';

import { routeArguments } from './route-arguments.js';

const Late = createParamDecorator(async () => {
  await Promise.resolve();
  throw new Error('late');
});
const Soon = createParamDecorator(() => {
  throw new Error('soon');
});
const Known = createParamDecorator(async (data: string) => Promise.resolve(data));

class Shelf {
  both(@Late() _late: unknown, @Soon() _soon: unknown): void {}

  all(
    @Known('first') _known: unknown,
    @Param('id') _id: string,
    @Req() _request: object,
    @Res() _reply: object,
  ): void {}

  passing(@Res({ passthrough: true }) _reply: object): void {}
}

/** A Fastify reply is thenable, and does not resolve before it is sent. */
const reply = { then: () => undefined };
const request = { params: { id: '7' } };
const context = {
  switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }),
} as unknown as ExecutionContext;

describe('The arguments of a handler of a plain controller', () => {
  it('have the order of the parameters, and a reply is not awaited', async () => {
    expect(await routeArguments(Shelf, 'all').of(context)).toEqual(['first', '7', request, reply]);
  });

  it('leave no rejection unhandled if two of them fail', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    await expect(routeArguments(Shelf, 'both').of(context)).rejects.toThrow('soon');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('say whether the handler sends the response itself', () => {
    expect(routeArguments(Shelf, 'all').sendsItself).toBe(true);
    expect(routeArguments(Shelf, 'passing').sendsItself).toBe(false);
  });
});
