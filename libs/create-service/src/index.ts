export { createService, type CreateServiceOptions } from './create-service.js';
export { CreateServiceError } from './names-of.js';
