/** Headers must have arrived by then. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The whole request must have arrived by then: with the check interval, well within the 15 s of SPEC §8.4. */
export const REQUEST_TIMEOUT_MS = 12_000;
/** An idle connection is kept open so long, and a second or two more. */
export const KEEP_ALIVE_TIMEOUT_MS = 10_000;
/** How often the time-outs are looked at. */
export const TIMEOUT_CHECK_MS = 1_000;
/** Request line and headers together. */
export const MAX_HEADER_BYTES = 16_384;
/** Open connections of a process. The oldest silent one makes room for one more, else the oldest idle one, else: 503. */
export const MAX_CONNECTIONS = 4096;
/** Connections of one address without a complete request; the oldest of them makes room. Proxies have no such limit. */
export const MAX_SILENT_PER_ADDRESS = 1024;
/** CORS preflights of one address (IPv6: of one /64) in a second; what comes beyond is refused. */
export const MAX_PREFLIGHTS_A_SECOND = 1000;
/** Requests of one connection under way; until one is answered, nothing more is read. */
export const MAX_REQUESTS_UNDER_WAY = 16;
/** A client that reads nothing of its answers for so long is cut: with the check interval, within the 30 s of SPEC §8.4. */
export const READER_TIMEOUT_MS = 28_000;
/** How long a connection that was answered early may go on sending before it is cut. */
export const LINGER_MS = 2_000;
/** A request waits for its turn so long at most, where more than {@link NEVER_REFUSED} are under way. */
export const MAX_QUEUE_MS = 400;
/** No request waits longer for its turn, however few are under way: 5 s after it was there it has a response. */
export const MAX_WAIT_MS = 3_000;
/** Work that holds the main thread for longer makes the requests of its user wait for one another. */
export const LONG_WORK_MS = 10;
/** A longer body is judged in a turn of its own. */
export const LONG_BODY_BYTES = 32_768;
/** So much more of a long body is received in each further turn. */
export const PIECE_BYTES = 65_536;
/** So much of the main thread such a piece takes. It cannot be measured: the system copies the bytes first. */
export const PIECE_MS = 1;
/** So many requests under way are all served, however long that takes. */
export const NEVER_REFUSED = 256;
/** Requests that wait for their turn; what comes beyond is refused at once. */
export const MAX_QUEUED = 4096;
/** Requests that are begun while the database has a backlog: enough that it is never idle. */
export const MAX_BEGUN = 64;
/** What waits for the database when it has a backlog: more than the connections of a pool. */
export const MIN_BACKLOG = 24;
/** After so long the requests of a turn of the event loop wait for the next one. */
export const MAX_TURN_MS = 10;
/** The same, while connections wait to be accepted: Node takes one in each turn. */
export const ACCEPTING_TURN_MS = 1;
/** Turns in a row that only accept connections, until one of them finds none. */
export const ACCEPTING_TURNS = 8;
/** Connections that the system keeps until they are accepted, as far as it allows that: others would try again after 1 s. */
export const MAX_UNACCEPTED = 4096;
