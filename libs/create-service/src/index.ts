export { createService, type CreateServiceOptions } from './create-service.js';
export { CreateServiceError } from './create-service-error.js';
