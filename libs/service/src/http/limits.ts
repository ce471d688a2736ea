export const HEADERS_TIMEOUT_MS = 10_000;
/** Maximum time to receive a request. With {@link TIMEOUT_CHECK_MS}, well within the 15 s of SPEC §8.4. */
export const REQUEST_TIMEOUT_MS = 12_000;
/** Maximum idle time of a connection. Node adds a second or two. */
export const KEEP_ALIVE_TIMEOUT_MS = 10_000;
export const TIMEOUT_CHECK_MS = 1_000;
export const MAX_HEADER_BYTES = 16_384;
/**
 * Maximum number of connections. At the maximum, a new connection closes the oldest silent one (no complete request),
 * else the oldest idle one, else gets 503.
 */
export const MAX_CONNECTIONS = 4096;
/**
 * Maximum number of connections of one address without a complete request; beyond the maximum, the oldest is closed.
 * Trusted proxies are exempt.
 */
export const MAX_SILENT_PER_ADDRESS = 1024;
/** Maximum number of CORS preflights per second from one address (IPv6: one /64). */
export const MAX_PREFLIGHTS_A_SECOND = 1000;
/** Maximum number of requests in progress per connection. At the maximum, no more input is read. */
export const MAX_REQUESTS_IN_PROGRESS = 16;
/**
 * Time after which a client that reads nothing is disconnected. With {@link TIMEOUT_CHECK_MS}, within the 30 s of SPEC
 * §8.4.
 */
export const READER_TIMEOUT_MS = 28_000;
/** Time for which a client may continue to send after an early response. */
export const LINGER_MS = 2_000;
/** Maximum wait of a request if more than {@link MAX_IN_PROGRESS_UNREFUSED} requests are in progress. */
export const MAX_QUEUE_MS = 400;
/** Maximum wait of any request, so that each one gets a response within 5 s. */
export const MAX_WAIT_MS = 3_000;
/**
 * If a request holds the main thread for this time, further requests of the same user wait until the response begins.
 */
export const LONG_WORK_MS = 10;
/** A larger body waits for a slot of the request queue before it is parsed. */
export const LONG_BODY_BYTES = 32_768;
/** Bytes of a long body that are received per slot of the request queue. */
export const RECEIVED_PIECE_BYTES = 65_536;
/**
 * Main-thread time charged for {@link RECEIVED_PIECE_BYTES}. The time that Node takes to copy these bytes cannot be
 * measured.
 */
export const PIECE_MS = 1;
/** Requests are refused after {@link MAX_QUEUE_MS} only if more than this number are in progress. */
export const MAX_IN_PROGRESS_UNREFUSED = 256;
export const MAX_QUEUED = 4096;
/**
 * Maximum number of requests that start per turn. During a backlog, also the maximum in progress: enough to keep the
 * database busy.
 */
export const MAX_STARTED = 64;
/** Number of waiting database operations that counts as a backlog: more than the 16 connections of a pool. */
export const MIN_BACKLOG = 24;
/** Maximum time for starting requests in one turn of the event loop. */
export const MAX_TURN_MS = 10;
/** Replaces {@link MAX_TURN_MS} while connections wait to be accepted: Node accepts one per turn. */
export const ACCEPTING_TURN_MS = 1;
export const ACCEPTING_TURNS = 8;
/**
 * Length of the listen backlog, if the system allows it. A client that finds the backlog full retries only after 1 s.
 */
export const MAX_UNACCEPTED = 4096;
