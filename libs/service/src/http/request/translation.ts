export interface TranslatedAnswer {
  readonly status: number;
  /** By lower-case name, without `Content-Length`, which follows from the body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON; undefined without a body, or for another type. */
  readonly body: unknown;
}

export interface Translation {
  readonly url: string;
  /** Headers with a single value, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  body(body: unknown): unknown;
  /** @param isOwnForm whether the response refers to the request as the client wrote it. */
  answer(answer: TranslatedAnswer, isOwnForm: boolean): TranslatedAnswer;
}
