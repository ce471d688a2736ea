import type { RouteMethods } from './route-methods.js';

/** Only Express 5 documents its router; checked in 4.22.1 and 5.3.0. */
interface ExpressApp {
  readonly router?: { readonly stack: readonly Layer[] };
  /** Express 4, whose `router` throws an error. */
  readonly _router?: { readonly stack: readonly Layer[] };
}

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Reads the router at each request, because routes may be added or removed. Does not see nested routers. */
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
    return false; // The path cannot be decoded. Express refuses it by itself.
  }
}
