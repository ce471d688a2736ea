export { readForm, type FormBody } from './form-body.js';
export { requireOwnForm } from './own-form.js';
export { pageHeaders } from './page-headers.js';
export { page, type Page } from './page.js';
