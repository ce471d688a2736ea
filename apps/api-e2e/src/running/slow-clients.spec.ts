import { RawConnection } from '@items/testing';

import { errorShapeProblems } from '../harness/error-shape.js';
import { createItem } from '../harness/items.js';
import { HOST_LINE, KEY_LINE } from '../harness/raw.js';
import { describeOnce, serviceHost, servicePort, startsServices } from '../harness/service.js';

const POST = `POST /items HTTP/1.1\r\n${HOST_LINE}${KEY_LINE}Content-Type: application/json\r\n`;
const WITHIN_MS = 15_000;
/** Tolerance for a busy machine. */
const TOLERANCE_MS = 1_500;

/** A client that sends `first` immediately, and then some bytes (`drip`) every half second. */
interface SlowClient {
  readonly title: string;
  readonly first: string;
  readonly drip?: string;
  /** Possible statuses; default: 408 only. */
  readonly statuses?: readonly number[];
}

const CLIENTS: readonly SlowClient[] = [
  { title: 'a silent connection', first: '' },
  { title: 'half a request line', first: 'GET /ite' },
  { title: 'half a head', first: `GET /items HTTP/1.1\r\n${HOST_LINE}` },
  { title: 'slow headers', first: `GET /items HTTP/1.1\r\n${HOST_LINE}`, drip: 'X: y\r\n' },
  { title: 'a header byte by byte', first: `GET /items HTTP/1.1\r\n${HOST_LINE}X: `, drip: 'y' },
  { title: 'a body that never comes', first: `${POST}Content-Length: 100\r\n\r\n` },
  { title: 'a stalled body', first: `${POST}Content-Length: 100\r\n\r\n{"name":` },
  { title: 'a slow body', first: `${POST}Content-Length: 100\r\n\r\n`, drip: ' ' },
  { title: 'a stalled chunked body', first: `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n` },
  { title: 'a slow chunked body', first: `${POST}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\n \r\n' },
  {
    title: 'a body that is expected',
    first: `${POST}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
    statuses: [100, 408],
  },
  {
    title: 'a slow body without a credential',
    first: `${POST.replace(KEY_LINE, '')}Content-Length: 100\r\n\r\n`,
    drip: ' ',
    statuses: [401],
  },
  {
    title: 'a slow body for an unknown path',
    first: `${POST.replace('/items', '/nothing')}Content-Length: 100\r\n\r\n`,
    drip: ' ',
    statuses: [404],
  },
  { title: 'an idle connection', first: `GET /health/live HTTP/1.1\r\n${HOST_LINE}\r\n`, statuses: [200] },
  {
    title: 'a second request that never ends',
    first: `GET /health/live HTTP/1.1\r\n${HOST_LINE}\r\nGET /items HTTP/1.1\r\n`,
    statuses: [200, 408],
  },
];

/** Measures the time until the service closes the connection. */
async function outlast(client: SlowClient): Promise<{ ms: number; connection: RawConnection }> {
  const connection = await RawConnection.open(servicePort, { host: serviceHost });
  connection.send(client.first);
  const dripping = setInterval(() => connection.send(client.drip ?? ''), 500);
  try {
    return { ms: await connection.closed(WITHIN_MS + 10_000), connection };
  } finally {
    clearInterval(dripping);
    connection.destroy();
  }
}

describeOnce('Silent connections, slow headers, slow and stalled bodies are closed within 15 s', () => {
  let outcomes: Map<string, Awaited<ReturnType<typeof outlast>>>;

  beforeAll(async () => {
    const found = await Promise.all(CLIENTS.map(async (client) => [client.title, await outlast(client)] as const));
    outcomes = new Map(found);
  }, WITHIN_MS + 20_000);

  it.each(CLIENTS.map((client) => [client.title, client] as const))('%s', (title, { statuses = [408] }) => {
    const { ms, connection } = outcomes.get(title)!;
    expect(ms).toBeLessThan(WITHIN_MS + TOLERANCE_MS);
    const errors = connection.answers().filter((answer) => answer.status >= 300);
    expect(errors.flatMap(errorShapeProblems)).toEqual([]);
    // With BASE_URL, a proxy may send other responses.
    if (startsServices) expect(connection.answers().map(({ status }) => status)).toEqual(statuses);
  });

  it('other clients are served meanwhile and afterwards', async () => {
    await createItem();
  });
});
