import { Reflector } from '@nestjs/core';

/**
 * Marks a route that ends access: requests of logins have a quota of their own there. SPEC §8.1
 * @example
 * @Delete(':id')
 * @FirstParty()
 * @EndsAccess()
 * remove() {}
 */
export const EndsAccess = Reflector.createDecorator();
