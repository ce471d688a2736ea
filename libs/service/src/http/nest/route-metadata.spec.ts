import { Controller, Delete, Get } from '@nestjs/common';

import { methodOf, writtenPathOf } from './route-metadata.js';

@Controller('cats')
class CatsController {
  @Get()
  list(): void {}

  @Delete(':id')
  remove(): void {}

  helper(): void {}
}

describe("Nest's own decorators", () => {
  const { list, remove, helper } = CatsController.prototype;

  it('provide the method and the path of a route', () => {
    expect(writtenPathOf(CatsController)).toBe('cats');
    expect([methodOf(list), writtenPathOf(list)]).toEqual(['GET', '/']);
    expect([methodOf(remove), writtenPathOf(remove)]).toEqual(['DELETE', ':id']);
  });

  it('provide nothing for other methods', () => {
    expect(methodOf(helper)).toBeUndefined();
  });
});
