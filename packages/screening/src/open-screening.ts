import type { Screening } from '@quipu/core'
import { fileScreening, type FileScreeningOptions } from './file-screening.ts'
import { httpScreening } from './http-screening.ts'

/** A file or a provider; nobody is screened without either. */
export type ScreeningChoice = Omit<FileScreeningOptions, 'path'> & {
  readonly file?: string | undefined
  readonly url?: string | undefined
  readonly token?: string | undefined
  readonly timeoutMs: number
}

/** Screening until `stop`, which resolves when no request runs. */
export type OpenedScreening = Screening & { stop(): Promise<void> }

const reloadMs = 5_000

/** Opens what the choice names. A file is looked at every five seconds. @throws Error when the file is none, or no list */
export function openScreening({
  file,
  url,
  token,
  timeoutMs,
  ...report
}: ScreeningChoice): OpenedScreening | undefined {
  if (url !== undefined) return httpScreening({ url, timeoutMs, ...(token !== undefined && { token }) })
  if (file === undefined) return undefined
  const screening = fileScreening({ path: file, ...report })
  const timer = setInterval(screening.reload, reloadMs).unref()
  return { ...screening, stop: async () => clearInterval(timer) }
}
