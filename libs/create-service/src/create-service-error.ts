export class CreateServiceError extends Error {
  override readonly name = 'CreateServiceError';
}
