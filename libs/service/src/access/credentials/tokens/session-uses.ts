import { Injectable } from '@nestjs/common';

import { LastUses } from '../secrets/last-uses.js';

/** When the access tokens of each session were last used, by the id of the session, since that was last written down. */
@Injectable()
export class SessionUses extends LastUses {}
