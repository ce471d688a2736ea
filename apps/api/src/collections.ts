// The collections that their definition alone makes, one line each: `npx nx g @items/tools:collection` adds them.
export {};
