export { createLogin } from './create-login.js';
export type { Login, LoginAuth, LoginOptions, LoginStorage } from './login-options.js';
export { LoginError } from './login-error.js';
