export { createService, CreateServiceError } from './create-service.js';
