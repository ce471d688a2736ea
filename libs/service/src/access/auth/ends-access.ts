import { Reflector } from '@nestjs/core';

/**
 * The route ends access: its requests have a quota of their own, 60 in 60 s a user. SPEC §8.1
 * @example
 * @Delete(':id')
 * @FirstParty()
 * @EndsAccess()
 * remove() {}
 */
export const EndsAccess = Reflector.createDecorator();
