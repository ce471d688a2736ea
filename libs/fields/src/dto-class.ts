/** A class with decorators of this library. */
export type DtoClass<T extends object = object> = new () => T;
