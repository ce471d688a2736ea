import type { RouteMethods } from './route-methods.js';

/**
 * As much of Express's router as is needed; the same in Express 4 and 5. Only 5 documents it: seen in 4.22.1 and 5.3.0.
 */
interface ExpressApp {
  /** Express 5. */
  readonly router?: { readonly stack: readonly Layer[] };
  /** Express 4, whose `router` throws. */
  readonly _router?: { readonly stack: readonly Layer[] };
}

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Asks the router itself, at the request: routes come and go until then. Routes of nested routers are not seen. */
export function expressRoutes(instance: unknown): RouteMethods {
  const app = instance as ExpressApp;
  return (path) => {
    const methods = new Set<string>();
    for (const layer of (app._router ?? app.router)?.stack ?? []) {
      if (layer.route === undefined || !matches(layer, path)) continue;
      for (const [method, served] of Object.entries(layer.route.methods)) if (served) methods.add(method.toUpperCase());
    }
    // Express answers HEAD with the handler of GET.
    return methods.has('GET') ? methods.add('HEAD') : methods;
  };
}

function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false; // A path that cannot be decoded: Express itself refuses it where it counts.
  }
}
