import type { Logger } from '@quipu/runtime'

/** Logs an error with the message of the step that failed. */
export const logFailures =
  <Step extends string>(log: Logger, messages: Readonly<Record<Step, string>>) =>
  (error: unknown, step: Step): void =>
    log.error({ err: error }, messages[step])
