import { Reflector } from '@nestjs/core';

/**
 * Marks a route that ends access. Requests of logins to it have a separate quota. SPEC §8.1
 * @example
 * @Delete(':id')
 * @FirstParty()
 * @EndsAccess()
 * remove() {}
 */
export const EndsAccess = Reflector.createDecorator();
