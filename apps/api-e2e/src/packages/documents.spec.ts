import { describeDocumentedInstall } from './documented-install.js';
import { describeNodeScript } from './node-script.js';
import { describeWeb } from './web.js';

// In one file, because the documented commands build the service again, which both examples start.
describeDocumentedInstall();
describeNodeScript();
describeWeb();
