import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'br' | 'gzip' | 'identity';

export interface Encoded {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

/** Compressing the document takes 0.1 s on a libuv thread; higher qualities save few bytes. */
const BROTLI_QUALITY = 9;
const CODERS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const;

/** A constant body, compressed once per content coding at the first request. */
export class EncodedBody {
  readonly hash: string;
  private readonly compressed = new Map<Coding, Promise<Encoded>>();

  /** @param bytes A buffer, shared by all responses. Node would copy a string for each. */
  constructor(readonly bytes: Buffer) {
    this.hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  }

  /** Entity tag of the uncompressed body; a strong tag differs per coding. RFC 9110 §8.8.3 */
  get etag(): string {
    return `"${this.hash}"`;
  }

  in(coding: Coding): Promise<Encoded> {
    const known = this.compressed.get(coding);
    if (known !== undefined) return known;
    const made = this.encoded(coding);
    this.compressed.set(coding, made);
    return made;
  }

  private async encoded(coding: Coding): Promise<Encoded> {
    if (coding === 'identity') return { bytes: this.bytes, etag: this.etag, coding };
    return { bytes: await CODERS[coding](this.bytes), etag: `"${this.hash}-${coding}"`, coding };
  }
}
