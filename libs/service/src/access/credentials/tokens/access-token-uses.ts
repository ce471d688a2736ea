import { LastUses } from '../secrets/last-uses.js';
import { Injectable } from '@nestjs/common';

/** Uses of access tokens from a refresh that are not yet stored. */
@Injectable()
export class AccessTokenUses extends LastUses {}
