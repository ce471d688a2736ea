/** Returns the methods that an app serves at a path, in upper case; empty for an unknown path. */
export type RouteMethods = (path: string) => ReadonlySet<string>;
