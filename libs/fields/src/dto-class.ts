/** A class whose fields are declared by this lib's decorators. */
export type DtoClass<T extends object = object> = new () => T;
