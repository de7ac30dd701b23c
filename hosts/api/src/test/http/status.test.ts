import { expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { testApi } from '../harness/api.fixture.ts'

const api = useTestApi('each')

test('any key reads whether quotes and payments work, five seconds late at most and without a reason', async () => {
  const tenant = await api.tenant()
  const status = async () => {
    const { headers, json } = await tenant.get('/v1/status')
    expect(headers.get('cache-control')).toBe('private, max-age=5')
    const { checked_at: at, ...works } = json
    expect(Date.parse(at)).toBe(api.clock.now().getTime())
    return works
  }
  const works = { quotes: 'available', payments: 'available', deposits: 'on_time' }
  expect(await status()).toEqual(works)
  await api.operator('POST', '/operator/v1/payouts/stop', { reason: 'an inner reason' })
  await api.operator('POST', '/operator/v1/rates/pause', { reason: 'an inner reason' })
  api.clock.step(5_000)
  expect(await status()).toEqual({ ...works, quotes: 'unavailable', payments: 'unavailable' })
  expect((await api.request('GET', '/v1/status')).status).toBe(401)
})

test('the rate limit does not count it', async () => {
  const limited = await testApi({ RATE_LIMIT_READS: '1' })
  try {
    const tenant = await limited.tenant()
    for (let n = 0; n < 5; n++) expect((await tenant.get('/v1/status')).status).toBe(200)
    expect((await tenant.get('/v1/wallets')).status).toBe(200)
    expect((await tenant.get('/v1/wallets')).status).toBe(429)
  } finally {
    await limited.stop()
  }
})
