import { fastifyRoutes } from './served-methods.js';

type Hook = (route: { method: string | string[]; url: string }) => void;

/** Returns the methods at a path of an app with one route. */
function methodsAt(path: string, route: string): readonly string[] {
  let heard: Hook = () => undefined;
  const methods = fastifyRoutes({ addHook: (_: string, hook: Hook) => (heard = hook) });
  heard({ method: ['GET', 'HEAD'], url: route });
  return [...methods(path)];
}

describe("A path is looked up in Fastify's routes", () => {
  it.each([
    ['/', '/'],
    ['/cats', '/cats'],
    ['/cats/1', '/cats/:id'],
    ['/cats/1/toys/2', '/cats/:id/toys/:toy'],
    ['/cats/a-b', '/cats/:from-:to'],
    ['/cats/1', '/cats/:id(^[0-9]+$)'],
    ['/cats', '/cats/:id?'],
    ['/files/a/b', '/files/*'],
    ['/files/', '/files/*'],
  ])('%s is %s', (path, route) => {
    expect(methodsAt(path, route)).toEqual(['GET', 'HEAD']);
  });

  it.each([
    ['/dogs', '/cats'],
    ['/cats/', '/cats/:id'],
    ['/cats/1/toys', '/cats/:id'],
    ['/cats', '/cats/:id'],
    ['/files', '/files/*'],
    ['/anything', '*'],
  ])('%s is not %s', (path, route) => {
    expect(methodsAt(path, route)).toEqual([]);
  });
});
