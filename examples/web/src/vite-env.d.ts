interface ImportMetaEnv {
  /** Where the service is; http://localhost:3000 where it is not set. */
  readonly VITE_ITEMS_URL?: string;
}

interface ImportMeta {
  readonly env: ImportMetaEnv;
}
