import { expect, test } from 'vitest'
import { noticeIssues } from './notice-settings.ts'
import { WorkerSettings } from './settings.ts'

const url = 'https://mail.internal/notices'
const secret = 'random'.repeat(6)
const base = {
  DATABASE_URL: 'postgres://localhost/quipu',
  QR_NETWORK_URL: 'https://qr.example',
  QR_NETWORK_TOKEN: 'the token of the network',
}
const refused = (settings: object) =>
  WorkerSettings.safeParse({ ...base, ...settings }).error?.issues.map(({ path }) => path.join())

test('a mail gateway needs a secret of 32 characters, and an http(s) URL', () => {
  expect(refused({})).toBeUndefined()
  expect(refused({ TENANT_NOTICE_URL: url, TENANT_NOTICE_SECRET: secret })).toBeUndefined()
  expect(refused({ TENANT_NOTICE_URL: url })).toEqual(['TENANT_NOTICE_SECRET'])
  expect(refused({ TENANT_NOTICE_SECRET: 'x'.repeat(31) })).toEqual(['TENANT_NOTICE_SECRET'])
  for (const wrong of ['ftp://mail.internal', 'https://ana@mail.internal', `${url}#a`, `${url}/\\`]) {
    const settings = { TENANT_NOTICE_URL: wrong, TENANT_NOTICE_SECRET: secret }
    expect(refused(settings)).toEqual(['TENANT_NOTICE_URL'])
  }
  expect(noticeIssues({ TENANT_NOTICE_SECRET: secret })).toEqual([])
})

test('production refuses a gateway without TLS, and a secret that another setting has', () => {
  const production = { ENVIRONMENT: 'production', TENANT_NOTICE_SECRET: secret }
  const issuesOf = (settings: object) => refused({ ...production, ...settings }) ?? []
  const plain = 'http://mail.internal/notices'
  expect(issuesOf({ TENANT_NOTICE_URL: plain })).toContain('TENANT_NOTICE_URL')
  const allowed = { TENANT_NOTICE_URL: plain, PRODUCTION_OVERRIDES: 'plain-http' }
  expect(issuesOf(allowed)).not.toContain('TENANT_NOTICE_URL')
  const same = { TENANT_NOTICE_URL: url, QR_NETWORK_TOKEN: secret }
  expect(issuesOf(same)).toContain('TENANT_NOTICE_SECRET')
  expect(issuesOf({ TENANT_NOTICE_URL: url })).not.toContain('TENANT_NOTICE_SECRET')
})
