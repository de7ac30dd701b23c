import { expect, test } from 'vitest'
import { readAllSettings } from './read-settings.ts'

const programs = ['api', 'worker'] as const
const required = {
  DATABASE_URL: 'postgres://127.0.0.1/quipu',
  QR_NETWORK_URL: 'http://127.0.0.1:1',
  QR_NETWORK_TOKEN: 'token',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.95',
}
const checksOf = (env: Record<string, string>) =>
  readAllSettings(env, programs).findings.map(({ check, status }) => `${check} ${status}`)

test('valid settings are a finding for each program', () => {
  expect(checksOf(required)).toEqual(['settings.api ok', 'settings.worker ok'])
})

test('a limit of the API below twice the worker’s period is a warning', () => {
  expect(checksOf({ ...required, LEDGER_CHECK_SECONDS: '150' })).toHaveLength(2)
  expect(checksOf({ ...required, LEDGER_CHECK_SECONDS: '151' })).toContain('settings.ledger warn')
})

test('a fault of both programs is one finding; one of a single program names it', () => {
  const { QR_NETWORK_URL: _, ...without } = required
  expect(checksOf(without)).toEqual(['settings fail'])
  const { findings } = readAllSettings({ ...without, WORKER_CONCURRENCY: 'many' }, programs)
  expect(findings.map(({ check, detail }) => `${check} ${detail.split(' ')[0]}`)).toEqual([
    'settings QR_NETWORK_URL',
    'settings.worker WORKER_CONCURRENCY',
  ])
  expect(readAllSettings(without, ['worker']).findings).toMatchObject([{ check: 'settings.worker' }])
})

test('an invalid setting does not hide the valid ones', () => {
  const { settings } = readAllSettings({ ...required, WORKER_CONCURRENCY: 'many' }, programs)
  expect(settings.QR_NETWORK_TOKEN).toBe('token')
  expect(settings.WORKER_CONCURRENCY).toBeUndefined()
})
