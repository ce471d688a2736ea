export type RouteMethods = (path: string) => ReadonlySet<string>;
