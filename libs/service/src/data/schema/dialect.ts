/** The two databases that are spoken. */
export type Dialect = 'sqlite' | 'postgres';
