import { Injectable } from '@nestjs/common';

import { LastUses } from '../secrets/last-uses.js';

@Injectable()
export class SessionUses extends LastUses {}
