import { Reflector } from '@nestjs/core';

/** Marks a route that ends access, which has a separate quota for logins. SPEC §8.1 */
export const EndsAccess = Reflector.createDecorator();
