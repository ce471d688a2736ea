import { describeWithBrowser } from './browser.js';
import { describeStartedOnce } from './service.js';

export { openBrowser, PLAIN_HOST, takePicture, type OpenBrowser } from './browser.js';

/** `describe` for specs of pages, which need no database. They are skipped without a browser. */
export const describeInBrowser = describeWithBrowser === describe ? describeStartedOnce : describe.skip;
