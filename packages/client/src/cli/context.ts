/** Where the command writes, and whom it asks. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** The width of standard output; undefined if it is no terminal. */
  readonly columns: number | undefined
  /** Asks a person, and hides what is typed if it is a secret. Undefined when nobody can answer. */
  readonly ask: ((question: string, options?: { readonly isSecret: boolean }) => Promise<string>) | undefined
  /** All of standard input. */
  readonly input: () => Promise<string>
}

/** The inputs and outputs of commands besides their arguments. */
export type Context = {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}
