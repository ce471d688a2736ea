/** Headers must have arrived by then. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The whole request must have arrived by then: with the check interval, well within decisions' 15 s. */
export const REQUEST_TIMEOUT_MS = 12_000;
/** An idle connection is kept open so long. */
export const KEEP_ALIVE_TIMEOUT_MS = 10_000;
/** How often the time-outs are looked at. */
export const TIMEOUT_CHECK_MS = 1_000;
/** Request line and headers together. */
export const MAX_HEADER_BYTES = 16_384;
/** Open connections a process; further ones are answered 503, and beyond twice as many closed at once. */
export const MAX_CONNECTIONS = 4096;
/** How long a connection that was answered early may go on sending before it is cut. */
export const LINGER_MS = 2_000;
