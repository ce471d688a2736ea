export interface TranslatedAnswer {
  readonly status: number;
  /** By lower-case name, without `Content-Length`, which follows from the body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON; undefined without a body, or for another type. */
  readonly body: unknown;
}

/** Translates one request, and its response, between a client's form and the application's form. */
export interface Translation {
  readonly url: string;
  /** Headers with a single value, by lower-case name, in the application's form. */
  readonly headers: Readonly<Record<string, string>>;
  /** @param body parsed JSON. @returns the body in the application's form. */
  body(body: unknown): unknown;
  /** @param isOwnForm whether the response refers to the request as the client wrote it. */
  answer(answer: TranslatedAnswer, isOwnForm: boolean): TranslatedAnswer;
}
