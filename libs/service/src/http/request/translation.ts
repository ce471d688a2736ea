/** An answer as it is to be sent. */
export interface TranslatedAnswer {
  readonly status: number;
  /** By name in lower case; without `Content-Length`, which follows from the body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON; undefined where there is no body, or one of another type. */
  readonly body: unknown;
}

/** How one request, and its response, are written in another form than the application's own. */
export interface Translation {
  /** In the application's form: path and query. */
  readonly url: string;
  /** Those that have one value, by name in lower case, in the application's form. */
  readonly headers: Readonly<Record<string, string>>;
  /** @param body parsed JSON. @returns it in the application's form. */
  body(body: unknown): unknown;
  /** @param isOwnForm whether the answer speaks of the request as its client wrote it. */
  answer(answer: TranslatedAnswer, isOwnForm: boolean): TranslatedAnswer;
}
