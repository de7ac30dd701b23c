import type { Terminal } from './terminal.ts'

/** The inputs and outputs of commands besides their arguments. */
export type Context = {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Waits between two looks at long work. */
  readonly pause: (ms: number) => Promise<unknown>
}
