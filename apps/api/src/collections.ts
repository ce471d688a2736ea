// Collections without a module of their own, one line each. `npx nx g @items/tools:collection` adds them.
export {};
