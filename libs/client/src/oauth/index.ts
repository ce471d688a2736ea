export { createLogin } from './create-login.js';
export { type Login, LoginError, type LoginOptions, type LoginStorage } from './login-options.js';
