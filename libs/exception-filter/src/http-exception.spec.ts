import { toApiError } from '@items/conventions/answer';
import { ForbiddenException, HttpException, ImATeapotException, NotFoundException } from '@nestjs/common';

describe('An exception of Nest becomes one error (SPEC §7)', () => {
  it.each([
    [new NotFoundException('Cannot GET /x'), 404, 'route_not_found', 'There is no resource at this path.'],
    [new NotFoundException('There is no such cat.'), 404, 'not_found', 'There is no such cat.'],
    [new ImATeapotException(), 418, 'im_a_teapot', "I'm a teapot"],
    [new ForbiddenException(), 403, 'forbidden', 'Forbidden'],
    [new HttpException('The other server is down.', 502), 502, 'bad_gateway', 'The other server is down.'],
    [new HttpException({ error: 'Odd' }, 499), 499, 'bad_request', 'Odd'],
    [new HttpException('No status.', 42), 500, 'internal_error', 'No status.'],
  ])('keeps the status and the sentence of an exception of Nest: %s', (exception, status, code, error) => {
    expect(toApiError(exception)).toMatchObject({ status, code, message: error });
  });
});
