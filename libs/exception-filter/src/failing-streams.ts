import { StreamableFile } from '@nestjs/common';
import type { HttpAdapterLike } from './served-methods.js';

export interface StreamedResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly req: unknown;
}

type StreamErrorHandler = StreamableFile['errorHandler'];

/** Source code of Nest's default handler. A file keeps any other handler. */
const NEST_HANDLER = String(new StreamableFile(new Uint8Array()).errorHandler);

/**
 * On Express, if a stream fails before the response has begun, Nest's default handler bypasses all filters and sends
 * 400 as text. Replaces that handler, but no handler of the app.
 */
export function catchStreamErrors(
  adapter: HttpAdapterLike,
  respond: (error: unknown, response: StreamedResponse) => void,
): void {
  if (adapter.getType() !== 'express' || adapter.reply === undefined) return;
  const reply = adapter.reply.bind(adapter);
  adapter.reply = (response, body, status) => {
    if (isStreamedFile(body) && String(body.errorHandler) === NEST_HANDLER) {
      const nestHandler = body.errorHandler;
      body.setErrorHandler((error, streamed) => {
        const { headersSent, destroyed } = streamed as unknown as StreamedResponse;
        if (headersSent || destroyed) nestHandler(error, streamed);
        else respond(error, streamed as unknown as StreamedResponse);
      });
    }
    return reply(response, body, status);
  };
}

/** Also recognizes files of another copy of Nest. */
function isStreamedFile(
  body: unknown,
): body is { errorHandler: StreamErrorHandler; setErrorHandler: (handler: StreamErrorHandler) => unknown } {
  return typeof body === 'object' && body !== null && 'errorHandler' in body && 'setErrorHandler' in body;
}
