/** A JSON Schema of draft 2020-12, which is what OpenAPI 3.1 takes. */
export type JsonSchema = Readonly<Record<string, unknown>>;
