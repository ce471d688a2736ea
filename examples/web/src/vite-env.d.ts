interface ImportMetaEnv {
  /** Address of the service. Default: http://localhost:3000. */
  readonly VITE_ITEMS_URL?: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
