import { defineConfig } from 'vite';

export default defineConfig({
  // Whatever supports `light-dark()` and `<dialog>` has top-level await.
  build: { target: 'es2023', modulePreload: { polyfill: false } },
  // TanStack Query marks its modules for a server that renders React; here is none.
  logLevel: 'error',
});
