import { LastUses } from '../secrets/last-uses.js';
import { Injectable } from '@nestjs/common';

/** Uses of access tokens from a refresh that are not yet stored, by the hash of the token. */
@Injectable()
export class AccessTokenUses extends LastUses {}
