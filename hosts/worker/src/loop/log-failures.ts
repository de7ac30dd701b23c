import type { Logger } from '@quipu/runtime'
import type { WorkedOn } from './claim-loop.ts'
import type { RecordWork, WorkUnit } from './work-log.ts'

/** Logs an error with the message of the step that failed. */
export const logFailures =
  <Step extends string>(log: Logger, messages: Readonly<Record<Step, string>>) =>
  (error: unknown, step: Step): void =>
    log.error({ err: error }, messages[step])

/** Fields of the log lines of a claim loop's failures. */
export type ClaimFailures<Claimed> = {
  readonly unit: WorkUnit
  readonly claim: string
  readonly work: string
  /** The ids of an item. */
  readonly about: (claimed: Claimed) => Readonly<Record<string, unknown>>
}

/** Logs a failed claim, and records failed work with the ids of its item. */
export const recordFailures =
  <Claimed>(
    { log, record }: { readonly log: Logger; readonly record: RecordWork },
    { unit, claim, work, about }: ClaimFailures<Claimed>,
  ) =>
  (error: unknown, _step: 'claim' | 'work', failed?: WorkedOn<Claimed>): void => {
    if (!failed) log.error({ err: error }, claim)
    else
      record({
        unit,
        result: 'error',
        startedAt: failed.startedAt,
        level: 'error',
        message: work,
        about: { ...about(failed.claimed), err: error },
      })
  }
