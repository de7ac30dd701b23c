/** A file of the repository: its path from the root, with `/`, and its text. */
export type SourceFile = { readonly path: string; readonly text: string }
