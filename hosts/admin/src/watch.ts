import type { Context } from './context.ts'
import { progressBar, progressLine } from './terminal.ts'

/** How far long work of the service is. */
export type Progress = {
  readonly text: string
  readonly done: number
  readonly total: number
  readonly isDone: boolean
}

export type Watched<State> = {
  readonly read: () => Promise<State>
  readonly progressOf: (state: State) => Progress
  /** Milliseconds between two looks. */
  readonly interval: number
  /** The text once there was no progress for a while. */
  readonly stuck: { readonly afterMs: number; readonly text: string }
}

/**
 * Looks again and again until work of the service is done. The progress is a bar on a terminal, and otherwise a
 * line for each change.
 *
 * @returns the last state
 */
export async function watch<State>(
  { read, progressOf, interval, stuck }: Watched<State>,
  { terminal, pause }: Pick<Context, 'terminal' | 'pause'>,
): Promise<State> {
  const line = progressLine(terminal)
  let [shown, unchangedMs] = ['', 0]
  for (;;) {
    const state = await read()
    const { text, done, total, isDone } = progressOf(state)
    if (isDone) {
      line.end()
      return state
    }
    unchangedMs = text === shown ? unchangedMs + interval : 0
    if (text !== shown && !terminal.showsProgress) terminal.error(`${text}\n`)
    if (unchangedMs >= stuck.afterMs && unchangedMs - interval < stuck.afterMs) {
      line.end()
      terminal.error(`${stuck.text}\n`)
    }
    shown = text
    line.update(`${progressBar(done, total)} ${text}`)
    await pause(interval)
  }
}
