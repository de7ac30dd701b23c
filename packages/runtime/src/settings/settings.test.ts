import { expect, test } from 'vitest'
import { z } from 'zod'
import { networkSettings } from './network-settings.ts'
import { BadSettings, commonSettings, readSettings, whole } from './settings.ts'

const Settings = z.object({
  ...commonSettings,
  QR_NETWORK_URL: networkSettings.QR_NETWORK_URL,
  QR_NETWORK_TOKEN: networkSettings.QR_NETWORK_TOKEN,
  PORT: whole(0, 65_535).default(4000),
})
const required = {
  DATABASE_URL: 'postgres://localhost/quipu',
  QR_NETWORK_URL: 'http://127.0.0.1:1',
  QR_NETWORK_TOKEN: 't',
}

test('defaults apply to unset and empty variables; unknown variables are ignored', () => {
  expect(readSettings(Settings, { ...required, PORT: '', OTHER: 'x' })).toEqual({
    ...required,
    LOG_LEVEL: 'info',
    PORT: 4000,
  })
})

test('the message names every missing or wrong variable and its rule', () => {
  const wrong = { DATABASE_URL: '', QR_NETWORK_URL: 'ftp://x', PORT: '70000', LOG_LEVEL: 'loud' }
  const read = (): unknown => readSettings(Settings, wrong)
  expect(read).toThrow(BadSettings)
  expect(read).toThrow(
    [
      'These settings cannot be used:',
      '  DATABASE_URL: is required: postgres://user:password@host:port/database',
      '  LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      '  QR_NETWORK_URL: is required: the http(s) URL of the QR network',
      '  PORT: must be a whole number from 0 to 65535',
    ].join('\n'),
  )
})

test.each(['', '0.5', '-1', '70000', 'x'])('whole(0, 65535) refuses %j', (text) => {
  expect(whole(0, 65_535).safeParse(text === '' ? undefined : text).success).toBe(false)
})

test.each([
  'postgres://quipu_app:choose%20one@db.example:5432/quipu',
  'postgresql://quipu@/quipu?host=/var/run/postgresql',
  'postgres:///quipu',
])('DATABASE_URL accepts %s', (url) => {
  expect(readSettings(Settings, { ...required, DATABASE_URL: url }).DATABASE_URL).toBe(url)
})

test.each(['db.example', 'not a url', 'http://db.example/quipu', 'postgres://db:99999/quipu'])(
  'DATABASE_URL refuses %j without repeating it',
  (url) => {
    const read = (): unknown => readSettings(Settings, { ...required, DATABASE_URL: url })
    expect(read).toThrow('  DATABASE_URL: is required: postgres://user:password@host:port/database')
    expect(read).not.toThrow(url)
  },
)

test.each(['token\n', ' token', 'tökén'])('QR_NETWORK_TOKEN refuses %j, which no header can carry', (token) => {
  const read = (): unknown => readSettings(Settings, { ...required, QR_NETWORK_TOKEN: token })
  expect(read).toThrow('  QR_NETWORK_TOKEN: must be ASCII, without a space or a line’s end around it')
})
