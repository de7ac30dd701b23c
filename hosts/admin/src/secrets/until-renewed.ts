import type { KeyRing } from '@quipu/core'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { progressBar, progressLine } from '../terminal.ts'
import type { KeyUseJson } from './rotation.ts'

/** What is watched, and how to read it. */
export type Renewal = {
  readonly read: () => Promise<readonly KeyUseJson[]>
  readonly ring: KeyRing
}

export type Watching = {
  readonly wait: boolean
  /** Milliseconds between two looks. */
  readonly interval: number
}

/** Without progress for this long, a person has to look: workers renew at their start. */
const stuckAfterMs = 600_000

/** Waits until every value is one of the ring's first key. @throws CommandError without `wait`, if it is not yet */
export async function untilRenewed(
  { read, ring: [{ id }] }: Renewal,
  { wait, interval }: Watching,
  { terminal, pause }: Pick<Context, 'terminal' | 'pause'>,
): Promise<void> {
  const progress = progressLine(terminal)
  let [shown, unchangedMs] = ['', 0]
  for (;;) {
    const keys = await read()
    const { text, bar, isDone } = stateOf(keys, id)
    if (isDone) return progress.end()
    if (!wait) throw new CommandError(exitCodes.refused, text)
    unchangedMs = text === shown ? unchangedMs + interval : 0
    if (text !== shown && !terminal.showsProgress) terminal.error(`${text}\n`)
    if (unchangedMs === stuckAfterMs - (stuckAfterMs % interval)) {
      progress.end()
      terminal.error(`${stuckText}\n`)
    }
    shown = text
    progress.update(`${bar} ${text}`)
    await pause(interval)
  }
}

const stuckText =
  'No progress for 10 minutes: does every worker run with this setting? A log line “cannot be read with the keys of …” names values that stay.'

function stateOf(keys: readonly KeyUseJson[], id: string) {
  const total = keys.reduce((sum, { values }) => sum + values, 0)
  const key = keys.find((each) => each.id === id)
  const renewed = key?.values ?? 0
  const waits = key?.current === true ? '' : `; the API does not make new ones with it yet`
  return {
    text: `${renewed} of ${total} values use key ${id}${waits}`,
    bar: progressBar(renewed, total),
    isDone: renewed === total && key?.current === true,
  }
}
