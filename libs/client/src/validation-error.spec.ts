import { FaultServer } from '@items/testing';
import { ValidationError as OfErrors } from '@items/conventions';

import { NotFoundError, ValidationError, type ErrorDetail } from './index.js';
import { clientOf, failureOf } from './testing/client-under-test.testing.js';

const detail: ErrorDetail = {
  ...{ field: 'name', code: 'too_long', message: '"name" must be at most 200 characters long.' },
  params: { max: 200 },
};

describe('ValidationError', () => {
  let server: FaultServer;
  beforeAll(async () => (server = await FaultServer.start()));
  afterAll(() => server.stop());

  it('is thrown for problems of the service and of a form', async () => {
    const body = { error: detail.message, code: 'validation_failed', details: [detail] };
    server.setPlan(() => ({ kind: 'answer', answer: { status: 422, body } }));
    const ofService = await failureOf(clientOf(server).client.items.create({ name: '' }));
    const ofForm = new OfErrors([detail]);
    for (const error of [ofService, ofForm]) {
      expect(error instanceof ValidationError).toBe(true);
      expect(error instanceof OfErrors).toBe(true);
      expect(error).toMatchObject({ status: 422, code: 'validation_failed', details: [detail] });
    }
  });

  it('has no other instances', () => {
    const other = new NotFoundError({ status: 404, code: 'not_found', message: 'x' });
    for (const value of [other, new Error('x'), null, undefined, 'text', {}]) {
      expect(value instanceof ValidationError).toBe(false);
    }
  });

  it('shows no secret in params', async () => {
    const params = { values: ['a', 'itk_secret-of-the-fault-server'] };
    const body = { error: 'x', code: 'validation_failed', details: [{ ...detail, code: 'not_allowed', params }] };
    server.setPlan(() => ({ kind: 'answer', answer: { status: 422, body } }));
    const error = await failureOf(clientOf(server).client.items.create({ name: '' }));
    expect(error).toMatchObject({ details: [{ params: { values: ['a', '[credential]'] } }] });
  });
});
