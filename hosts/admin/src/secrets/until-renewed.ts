import type { KeyRing } from '@quipu/core'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { type Progress, watch } from '../watch.ts'
import type { KeyUseJson } from './rotation.ts'

/** The watched values, and how to read them. */
export type Renewal = { readonly read: () => Promise<readonly KeyUseJson[]>; readonly ring: KeyRing }

export type Watching = {
  readonly wait: boolean
  /** Milliseconds between two looks. */
  readonly interval: number
}

/** Workers renew at their start. */
const stuck = {
  afterMs: 600_000,
  text: 'No progress for 10 minutes: does every worker run with this setting? A log line “cannot be read with the keys of …” names values that stay.',
}

/** Waits until every value is one of the ring's first key. @throws CommandError without `wait`, if it is not yet */
export async function untilRenewed(
  { read, ring: [{ id }] }: Renewal,
  { wait, interval }: Watching,
  context: Pick<Context, 'terminal' | 'pause'>,
): Promise<void> {
  const progressOf = (keys: readonly KeyUseJson[]): Progress => progressTo(id, keys)
  if (wait) return void (await watch({ read, progressOf, interval, stuck }, context))
  const { text, isDone } = progressOf(await read())
  if (!isDone) throw new CommandError(exitCodes.refused, text)
}

function progressTo(id: string, keys: readonly KeyUseJson[]): Progress {
  const total = keys.reduce((sum, { values }) => sum + values, 0)
  const key = keys.find((each) => each.id === id)
  const done = key?.values ?? 0
  const isCurrent = key?.current === true
  const waits = isCurrent ? '' : '; the API does not make new ones with it yet'
  return { text: `${done} of ${total} values use key ${id}${waits}`, done, total, isDone: done === total && isCurrent }
}
