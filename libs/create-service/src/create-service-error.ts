/** The service cannot be created. The message names the reason and an alternative. */
export class CreateServiceError extends Error {
  override readonly name = 'CreateServiceError';
}
