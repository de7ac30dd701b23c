import { bob } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import { operatorToken, testApi } from '../harness/api.fixture.ts'

const api = useTestApi('each')
const reports = '/operator/v1/reports'

test('revenue and volume of a month are the quotes of its payouts, as JSON and as CSV', async () => {
  const tenant = await api.tenant()
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, { margin_bps: 150, fee_bps: 50, fee_fixed: '0.10' })
  const paid = await tenant.post('/v1/payouts', await tenant.order())
  expect(paid.json.status).toBe('completed')
  const quote = (await api.operator('GET', `/operator/v1/quotes/${paid.json.quote.id}`)).json
  const micro = (text: string): bigint => BigInt(text.replace('.', ''))
  const cost = (micro(quote.target.amount) * 10n ** 8n + micro(quote.bid) - 1n) / micro(quote.bid)
  for (const timezone of ['UTC', 'America/La_Paz']) {
    const { json } = await api.operator('GET', `${reports}/revenue?timezone=${timezone}&by=day`)
    expect(json).toMatchObject({ timezone, status: 'open', by: 'day', total: { payouts: 1, refunds: 0 } })
    expect(micro(json.total.spread_usdt)).toBe(micro(quote.principal) - cost)
    expect(json.total.fee_usdt).toBe(quote.fee.amount)
    expect(json.rows.at(-1)).toMatchObject({ payouts: 1, revenue_usdt: json.total.revenue_usdt })
  }
  const volume = await api.operator('GET', `${reports}/volume`)
  expect(volume.json.rows).toEqual([{ ...volume.json.total, key: tenant.id, name: expect.any(String) }])
  expect(volume.json.total).toMatchObject({ volume_bob: quote.target.amount, outcomes: { completed: 1, failed: 0 } })
  const other = await api.tenant()
  for (const [id, completed] of [
    [tenant.id, 1],
    [other.id, 0],
  ] as const) {
    const { json } = await api.operator('GET', `${reports}/volume?tenant_id=${id}&by=day`)
    expect(json.total).toMatchObject({ outcomes: { completed } })
  }
  const csv = await fetch(`${api.operatorUrl}${reports}/volume?format=csv`, {
    headers: { Authorization: `Bearer ${operatorToken}` },
  })
  expect(csv.headers.get('Content-Type')).toContain('text/csv')
  expect(csv.headers.get('Content-Disposition')).toMatch(/filename="volume-\d{4}-\d{2}\.csv"/)
  const [header, row, end] = (await csv.text()).split('\r\n')
  expect(header).toMatch(/^key,name,payouts,volume_bob,volume_usdt,outcomes\.completed,/)
  expect(row).toMatch(new RegExp(`^${tenant.id},.*,1,${quote.target.amount},`))
  expect(end).toBe('')
})

test('above the limit of the exposure no quote is made, and the fault lasts until the network has BOB again', async () => {
  const limited = await testApi({ EXPOSURE_LIMIT_USDT: '5000', NETWORK_LIQUIDITY_FLOOR_BOB: '1000' })
  onTestFinished(() => limited.stop())
  const tenant = await limited.tenant()
  const quoted = async () => {
    const { status, code } = await tenant.post('/v1/quotes', { target: { currency: 'BOB', amount: '100.00' } })
    return [status, code]
  }
  const faults = async (): Promise<readonly string[]> =>
    (await limited.operator('GET', '/operator/v1/faults')).json.data.map(({ code }: { code: string }) => code)
  /** The worker's poll keeps what the network could pay; the API renews its reading behind the next quote. */
  const polled = async (minor: bigint) => {
    limited.clock.step(15_000)
    await limited.stores.reports.recordLiquidity({ available: bob(minor), at: limited.clock.now() })
    const behind = await quoted()
    await limited.settled()
    return behind
  }
  expect(await quoted()).toEqual([201, undefined])
  expect(await faults()).toEqual([])
  expect(await polled(-100_000_00n)).toEqual([201, undefined])
  expect(await quoted()).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(await faults()).toEqual(['EXPOSURE_ABOVE_LIMIT'])
  expect((await limited.operator('GET', `${reports}/exposure`)).json).toMatchObject({ is_quoting_stopped: true })
  expect(await polled(100_000_00n)).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(await quoted()).toEqual([201, undefined])
  expect(await faults()).toEqual([])
})
