import { Inject, Injectable, type CanActivate } from '@nestjs/common';

import { CONFIG, type Config } from '../../runtime/config/config.js';
import { PasswordLoginOffError } from '../errors/access-errors.js';

/** Refuses a login with a password before its body is read, if passwords are off. */
@Injectable()
export class PasswordLoginGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'passwordLogin'>) {}

  canActivate(): true {
    if (!this.config.passwordLogin) throw new PasswordLoginOffError();
    return true;
  }
}
