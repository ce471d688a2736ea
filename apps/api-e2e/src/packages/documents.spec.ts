import { describeDocumentedInstall } from './documented-install.js';
import { describeNodeScript } from './node-script.js';
import { describeWeb } from './web.js';

// In one file, so sequentially: the documented commands rebuild the service, which both examples start.
describeDocumentedInstall();
describeNodeScript();
describeWeb();
