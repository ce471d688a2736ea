import { RATE_LIMIT_RESET } from '../header-names.js';

/** Share of the credential's quota that a replica uses at most. */
const SHARE = 1 / 3;
/** A reset that is later by more than this belongs to the next window: it is given in whole seconds. */
const ROUNDING_MS = 2000;

/** Counts the requests of a replica in the window of the quota. */
export interface QuotaShare {
  /** Counts a request that is sent, if there is room; a part of the share is reserved for long polls. */
  readonly take: (isLongPoll: boolean) => boolean;
  readonly note: (headers: Headers) => void;
}

export function quotaShare(): QuotaShare {
  let limit = Number.POSITIVE_INFINITY;
  let endsAtMs = 0;
  let used = 0;
  return {
    take: (isLongPoll) => {
      const leftMs = endsAtMs - Date.now();
      if (leftMs <= 0) used = 0;
      const share = Math.max(1, Math.floor(limit * SHARE));
      const reserved = isLongPoll ? 0 : Math.min(leftMs / 1000, share / 2);
      const hasRoom = used < Math.max(1, share - Math.max(0, reserved));
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
