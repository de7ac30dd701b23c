/** How many generated examples each property of a suite gets. */
export type Runs = { readonly runs?: number }
