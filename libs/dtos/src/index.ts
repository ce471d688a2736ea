export { CreateApiKeyDto, ReplaceApiKeyDto, RotationDto } from './api-key.dto.js';
export { CreateClientDto, ReplaceClientDto } from './client.dto.js';
export { explainRedirectUri } from './redirect-uri.js';
export { ItemInputDto } from './item-input.dto.js';
export { OrderFieldsDto, OrderInputDto, TransitionInputDto } from './order.dto.js';
export { CreateSessionDto } from './session.dto.js';
export { CreateUserDto, IdentityDto, PasswordChangeDto, SetupDto, ReplaceUserDto } from './user.dto.js';
export { CreateWebhookDto, DeliveryDto, ReplaceWebhookDto, ReplayDto } from './webhook.dto.js';
