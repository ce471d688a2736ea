export { createLogin } from './create-login.js';
export type { Login, LoginOptions, LoginStorage } from './login-options.js';
export { LoginError } from './login-error.js';
