import { writeLines } from '@quipu/client/terminal'

/** Where the program writes. Only tests replace it. */
export type Terminal = {
  readonly out: (text: string) => void
  readonly error: (text: string) => void
  /** The width of standard output; undefined if it is no terminal. */
  readonly columns: number | undefined
  /** Asks the person, and waits for one line; left out where nobody can answer. */
  readonly ask?: (question: string) => Promise<string>
  /** Whether standard error is a terminal, so that progress is visible. */
  readonly showsProgress: boolean
}

/** The process's own streams. */
export const processTerminal = (): Terminal => ({
  out: writeLines(process.stdout),
  error: (text) => void process.stderr.write(text),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask: askPerson }),
  showsProgress: process.stderr.isTTY,
})

async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return lines.question(question).finally(() => lines.close())
}

/** Reports the progress of long work on one line, which `end` removes. Writes nothing but to a terminal. */
export function progressLine(terminal: Pick<Terminal, 'error' | 'showsProgress'>): {
  update(text: string): void
  end(): void
} {
  let isShown = false
  const clear = '\r\u001B[K'
  return {
    update(text) {
      if (!terminal.showsProgress) return
      isShown = true
      terminal.error(`${clear}${text}`)
    },
    end() {
      if (isShown) terminal.error(clear)
      isShown = false
    },
  }
}

/** A bar for work of known length: `[######      ] 50 %`. */
export function progressBar(done: number, total: number): string {
  const width = 24
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(share * width)
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${Math.floor(share * 100)} %`
}
