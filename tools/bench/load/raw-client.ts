import { connect, type Socket } from 'node:net';

/**
 * A connection with one pending request. It parses only the status and the length of a response, so that the load uses
 * less CPU than the servers.
 */
export class RawClient {
  readonly socket: Socket;
  #answered: ((status: number) => void) | undefined;
  /** Bytes of the body that have not arrived yet. */
  #missing = 0;
  #status = 0;
  /** Received part of an incomplete head. */
  #head = '';

  /** Calls `failed` if the connection fails or ends before the response, or a response has no length. */
  constructor(port: number, failed: (error: Error) => void) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => this.#read(chunk, failed));
    this.socket.on('error', failed);
    this.socket.on('close', () => this.#answered && failed(new Error('A connection was closed before its response.')));
  }

  /** Sends head and body. `answered` is called after the complete response. */
  send(request: Buffer, answered: (status: number) => void) {
    this.#answered = answered;
    this.socket.write(request);
  }

  close() {
    this.#answered = undefined;
    this.socket.destroy();
  }

  #read(chunk: Buffer, failed: (error: Error) => void) {
    if (this.#missing > 0) {
      this.#missing -= chunk.length;
    } else {
      const text = this.#head + chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) {
        this.#head = text;
        return;
      }
      this.#head = '';
      this.#status = Number(text.slice(9, 12));
      const length = bodyLength(text.slice(0, end), this.#status);
      if (length === undefined) {
        failed(new Error(`A response without a length: ${text.slice(0, end)}`));
        return;
      }
      this.#missing = end + 4 + length - text.length;
    }
    if (this.#missing > 0) return;
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(this.#status);
  }
}

function bodyLength(head: string, status: number) {
  if (status === 304 || status === 204) return 0;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  return length === undefined ? undefined : Number(length);
}
