const MAX_BYTES = 262_144;
/** Fetch standard, "null body status": these responses have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/**
 * Buffers the response body.
 * @param init its `signal` bounds the total time, including the body.
 * @throws {Error} the decoded body is larger than {@link MAX_BYTES}.
 */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // These headers describe the encoded body, but the buffered bytes are decoded.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const body = await readBounded(response);
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, statusText, headers });
}

async function readBounded({ body, url }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop cancels the body, which closes the connection.
    if (size > MAX_BYTES) throw new Error(`The response of ${url} is larger than ${String(MAX_BYTES)} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
