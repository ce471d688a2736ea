/** The methods that an app serves at a path, in upper case; empty for a path that it does not know. */
export type RouteMethods = (path: string) => ReadonlySet<string>;
