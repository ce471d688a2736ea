import { randomBytes } from 'node:crypto';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

import { closeIdleConnections, HttpClient } from '../http/http-client.js';
import { AppProcess, type Ending } from './app-process.js';
import { freePort } from '../servers/free-port.js';
import { certificateFiles, TEST_CERTIFICATE } from './test-certificate.js';
import { provideDatabase, type DatabaseName } from './test-database.js';

export interface StartAppOptions {
  readonly database: DatabaseName;
  /** Another built service, which prints `Listening on …`. Default: `APP_MAIN`, or the workspace's own app. */
  readonly main?: string | undefined;
  /** A database to start on; it outlives the service. Default: a new one, which is deleted with the service. */
  readonly databaseUrl?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Serves HTTPS with {@link TEST_CERTIFICATE}. */
  readonly https?: boolean;
  /** Overrides the defaults: quotas far beyond the needs of tests, and a stop without delay. */
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum wait for readiness; default 60 000. */
  readonly readyWithinMs?: number;
}

export interface RunningApp {
  readonly baseUrl: string;
  readonly port: number;
  /** A key with every scope. */
  readonly adminKey: string;
  readonly process: AppProcess;
  /** Requests a stop and waits for the end; the log remains until `stop`. */
  end(signal?: NodeJS.Signals): Promise<Ending>;
  /** Like `end`, and deletes the log and the service's own database. */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
}

const ROOMY_QUOTA = '1000000/60';

/**
 * Starts the built service on a free port and waits until it is ready.
 * @throws {Error} with its log, if it is not ready in time.
 */
export async function startApp(options: StartAppOptions): Promise<RunningApp> {
  for (;;) {
    try {
      return await startOn(options.port ?? (await freePort()), options);
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
    }
  }
}

/** Another process took the port after it was found free. */
class PortTakenError extends Error {}

async function startOn(port: number, options: StartAppOptions): Promise<RunningApp> {
  const own = options.databaseUrl === undefined ? await provideDatabase(options.database) : undefined;
  const adminKey = options.env?.['ADMIN_API_KEY'] ?? randomBytes(24).toString('hex');
  const certificate = options.https === true ? certificateFiles() : undefined;
  const env = {
    ...certificate?.env,
    PORT: String(port),
    DATABASE_URL: options.databaseUrl ?? own?.url ?? '',
    ADMIN_API_KEY: adminKey,
    RATE_LIMIT: ROOMY_QUOTA,
    RATE_LIMIT_ANONYMOUS: ROOMY_QUOTA,
    // No delay, because no load balancer has to notice the stop.
    STOP_DELAY: '0',
    // No warm-up, because no test depends on fast first requests.
    WARM_UP_MS: '0',
    ...options.env,
  };
  const app = new AppProcess(env, options.main);
  const end = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> => {
    // A graceful stop waits for open connections. The last one used becomes idle in the next turn of the event loop.
    await yieldToEventLoop();
    closeIdleConnections(port);
    if (app.isRunning) app.signal(signal);
    return app.ended;
  };
  const stop = async (signal?: NodeJS.Signals): Promise<Ending> => {
    const ending = await end(signal);
    app.discard();
    certificate?.remove();
    await own?.drop();
    return ending;
  };
  const baseUrl = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${String(port)}`;
  try {
    await ready(baseUrl, app, options.readyWithinMs ?? 60_000);
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
  return { baseUrl, port, adminKey, process: app, end, stop };
}

async function ready(baseUrl: string, app: AppProcess, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  // Wait for the service's own log line: an earlier response may come from another service that took the port.
  while (!app.log().includes('Listening on ') || !(await answersReady(baseUrl))) {
    if (!app.isRunning && app.log().includes('PORT is taken')) throw new PortTakenError();
    if (!app.isRunning) throw new Error(`The service ended before it was ready:\n${app.log()}`);
    if (Date.now() > deadline) throw new Error(`Not ready within ${String(withinMs)} ms:\n${app.log()}`);
    await sleep(20);
  }
}

async function answersReady(baseUrl: string): Promise<boolean> {
  const client = new HttpClient({ baseUrl, ca: TEST_CERTIFICATE.cert, headers: [['Connection', 'close']] });
  try {
    return (await client.get('/health/ready')).status === 200;
  } catch {
    return false;
  }
}
