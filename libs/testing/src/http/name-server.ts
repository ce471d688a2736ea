import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** Addresses of a name, IPv4 and IPv6 together; `failure` is SERVFAIL, `silence` no response. */
export type NameServerAnswer = readonly string[] | 'failure' | 'silence';

const A = 1;
const AAAA = 28;
const HEADER_BYTES = 12;
const RESPONSE = 0x8180;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
/** Responses may be cached for a minute, so that tests notice a client that caches them. */
const TTL_SECONDS = 60;

/** A DNS server on this machine (UDP, A and AAAA) with the addresses of a test. */
export class NameServer {
  /** Requested names, in order, once for each type. */
  readonly questions: string[] = [];
  private readonly answers = new Map<string, NameServerAnswer>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port, address }) => {
      const answer = this.answerTo(query);
      if (answer !== undefined) socket.send(answer, port, address);
    });
  }

  /** Uses a free port of 127.0.0.1. */
  static async start(): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket);
  }

  /** `127.0.0.1:port`, as `WEBHOOK_DNS` expects it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Sets the addresses of a name; other names do not exist. */
  set(name: string, answer: NameServerAnswer): void {
    this.answers.set(name, answer);
  }

  close(): void {
    this.socket.close();
  }

  /** RFC 1035 §4.1: the header, the question again, and the records, whose names point to that of the question. */
  private answerTo(query: Buffer): Buffer | undefined {
    const { name, type, end } = questionIn(query);
    this.questions.push(name);
    const known = this.answers.get(name);
    if (known === 'silence') return undefined;
    const addresses = known === 'failure' ? [] : (known ?? []);
    const records = addresses.map(bytesOf).filter(({ length }) => length === (type === A ? 4 : 16));
    const code = known === undefined ? NO_SUCH_NAME : known === 'failure' ? SERVER_FAILURE : 0;
    const counts = [1, type === A || type === AAAA ? records.length : 0, 0, 0];
    const header = [query.subarray(0, 2), ...[RESPONSE + code, ...counts].map(uint16)];
    return Buffer.concat([
      ...header,
      query.subarray(HEADER_BYTES, end),
      ...records.flatMap((data) => recordOf(type, data)),
    ]);
  }
}

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(type: number, data: Buffer): Buffer[] {
  return [
    uint16(0xc000 + HEADER_BYTES),
    uint16(type),
    uint16(1),
    uint16(0),
    uint16(TTL_SECONDS),
    uint16(data.length),
    data,
  ];
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** Returns 4 or 16 bytes of an address. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::', 2);
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return Buffer.concat(all.map((group) => uint16(Number.parseInt(group, 16))));
}
