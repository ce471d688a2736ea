import { createHash } from 'node:crypto';

import { Inject, Injectable, UnauthorizedException } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import type { Repository } from 'typeorm';

import { KeyEntity } from './item.entity.js';
import { KEYS } from './repositories.js';

/** A key is looked up by its hash, as in Nest's own chapter on authentication. */
@Injectable()
export class KeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  constructor(@Inject(KEYS) private readonly keys: Repository<KeyEntity>) {
    super({ header: 'x-api-key', prefix: '' }, false);
  }

  async validate(key: string): Promise<KeyEntity> {
    const found = await this.keys.findOneBy({ hash: createHash('sha256').update(key).digest('hex') });
    if (found === null) throw new UnauthorizedException();
    return found;
  }
}
