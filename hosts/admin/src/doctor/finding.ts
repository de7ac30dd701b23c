import { Unavailable } from '@quipu/core'

/** The finding of a check. */
export type Finding = {
  /** `area.subject`, such as `database.role`. */
  readonly check: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  /** The remedy; null if there is none. */
  readonly mend: string | null
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail, mend: null })
export const warn = (check: string, detail: string, mend: string): Finding => ({ check, status: 'warn', detail, mend })
export const fail = (check: string, detail: string, mend: string): Finding => ({ check, status: 'fail', detail, mend })

/** The message of an error and its causes, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error instanceof AggregateError ? reasonOf(error.errors[0]) : error.message
  const cause = error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : ''
  return `${text || error.name}${cause}`.replaceAll(/\s+/g, ' ')
}

/** Runs a check that fails with the error it throws. */
export async function failing(
  check: string,
  mend: string | ((error: unknown) => string),
  run: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await run()
  } catch (error) {
    return [fail(check, reasonOf(error), typeof mend === 'string' ? mend : mend(error))]
  }
}

/** Whether a dependency did not answer, or not as it must. */
export const isUnavailable = (error: unknown): boolean => error instanceof Unavailable
