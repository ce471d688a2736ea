import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How a body may be sent; RFC 9110 §8.4 */
export type Coding = 'br' | 'gzip' | 'identity';

/** A body in one coding. */
export interface Encoded {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

/** From here on a tenth of a second, on a thread of zlib's own, saves little more. */
const BROTLI_QUALITY = 9;
const CODERS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
} as const;

/** A body that does not change, in each coding: compressed once, when it is first asked for. */
export class EncodedBody {
  /** Of the bytes: 27 characters of base64url. */
  readonly hash: string;
  private readonly compressed = new Map<Coding, Promise<Encoded>>();

  /** @param bytes all responses share them: of a text each would hold a copy until its client has read it. */
  constructor(readonly bytes: Buffer) {
    this.hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  }

  /** Of the body as it is; a strong entity tag is of one coding. RFC 9110 §8.8.3 */
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
