import { type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** Whether anybody is screened; the sandbox needs nobody. */
export const screeningSettingFinding = ({
  ENVIRONMENT,
  SCREENING_FILE,
  SCREENING_URL,
}: Pick<ReadSettings, 'ENVIRONMENT' | 'SCREENING_FILE' | 'SCREENING_URL'>): Finding => {
  const check = 'screening'
  const source = SCREENING_FILE ?? SCREENING_URL
  if (source !== undefined) return ok(check, `by ${source}`)
  return ENVIRONMENT === 'production'
    ? warn(
        check,
        'no sender, merchant or tenant is screened',
        'Set SCREENING_FILE or SCREENING_URL for API and worker: docs/operations/screening.md.',
      )
    : ok(check, 'not configured: nobody is screened')
}
