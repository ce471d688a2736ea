import { RATE_LIMIT_RESET } from '../header-names.js';

/** Maximum share of the credential's quota that a replica uses. */
const SHARE = 1 / 3;
/** The service sends its reset in whole seconds. A reset later by more than this starts a new window. */
const ROUNDING_MS = 2000;

export interface QuotaShare {
  /** Counts a request and returns true if the share is not used up. Reserves a part for long polls. */
  readonly take: (isLongPoll: boolean) => boolean;
  readonly note: (headers: Headers) => void;
}

export function quotaShare(): QuotaShare {
  let limit = Infinity;
  let endsAtMs = 0;
  let used = 0;
  return {
    take: (isLongPoll) => {
      const leftMs = endsAtMs - Date.now();
      if (leftMs <= 0) used = 0;
      const share = limit * SHARE;
      const reserved = isLongPoll ? 0 : Math.min(leftMs / 1000, share / 2);
      const hasRoom = used === 0 || used + 1 <= share - reserved;
      if (hasRoom) used += 1;
      return hasRoom;
    },
    note: (headers) => {
      const requests = Number(headers.get('x-ratelimit-limit'));
      if (!(requests > 0)) return;
      limit = requests;
      const resetAtMs = Date.now() + Number(headers.get(RATE_LIMIT_RESET)) * 1000;
      if (resetAtMs > endsAtMs + ROUNDING_MS) {
        used = 1;
        endsAtMs = resetAtMs;
      }
    },
  };
}
