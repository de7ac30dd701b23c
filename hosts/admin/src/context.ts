import type { Terminal } from './terminal.ts'

/** What commands read and write besides their arguments. */
export type Context = {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}
