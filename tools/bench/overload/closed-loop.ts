import { connect } from 'node:net';

/**
 * A separate process with several clients. Each client sends the next request as soon as the previous request was
 * served or refused, without backing off. The process does as little as possible per request.
 */
const { port, clients, seconds, requests }: ClosedLoad = JSON.parse(process.argv[2] ?? '{}');

export interface ClosedLoad {
  port: number;
  clients: number;
  seconds: number;
  requests: string[];
}

export interface ClosedLoaded {
  served: Summary;
  refused: Summary;
}

type Summary = ReturnType<typeof summary>;

const HEAD_END = Buffer.from('\r\n\r\n');
const texts = requests.map((text) => Buffer.from(text));
const served: number[] = [];
const refused: number[] = [];
let next = 0;
const began = performance.now();
const warmUntil = began + 1000;
const endsAt = warmUntil + seconds * 1000;

function openClient() {
  let askedAt = performance.now();
  let rest = Buffer.alloc(0);
  const socket = connect(port, '127.0.0.1');
  const ask = () => {
    askedAt = performance.now();
    socket.write(texts[next++ % texts.length] ?? '');
  };
  socket.setNoDelay(true);
  socket.on('connect', ask);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (performance.now() >= endsAt) return;
    openClient();
  });
  socket.on('data', (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    const head = rest.indexOf(HEAD_END);
    if (head === -1) return;
    const text = rest.toString('latin1', 0, head);
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (rest.length < head + 4 + length) return;
    rest = Buffer.alloc(0);
    note(text.slice(9, 12), performance.now() - askedAt);
    if (performance.now() < endsAt) ask();
    else socket.destroy();
  });
}

function note(status: string, ms: number) {
  const now = performance.now();
  if (now < warmUntil || now >= endsAt) return;
  (status.startsWith('2') ? served : refused).push(ms);
}

for (let client = 0; client < clients; client++) openClient();

setTimeout(
  () => {
    process.stdout.write(JSON.stringify({ served: summary(served), refused: summary(refused) } satisfies ClosedLoaded));
    process.exit();
  },
  endsAt - performance.now() + 100,
);

function summary(times: number[]) {
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { perSecond: sorted.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? 0 };
}
