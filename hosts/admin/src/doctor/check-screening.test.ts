import { expect, test } from 'vitest'
import { screeningSettingFinding } from './check-screening.ts'

test.each([
  [{ ENVIRONMENT: 'production' }, 'warn'],
  [{ ENVIRONMENT: 'sandbox' }, 'ok'],
  [{ ENVIRONMENT: 'production', SCREENING_FILE: '/lists/own.csv' }, 'ok'],
  [{ ENVIRONMENT: 'production', SCREENING_URL: 'https://lists.example' }, 'ok'],
] as const)('%j is %s', (settings, status) => {
  expect(screeningSettingFinding(settings)).toMatchObject({ check: 'screening', status })
})
