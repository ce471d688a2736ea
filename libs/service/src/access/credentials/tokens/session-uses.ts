import { Injectable } from '@nestjs/common';

import { LastUses } from '../secrets/last-uses.js';

/** Last uses of the access tokens of each session since the last flush, by the id of the session. */
@Injectable()
export class SessionUses extends LastUses {}
