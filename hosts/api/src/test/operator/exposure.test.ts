import { bob } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import { testApi } from '../harness/api.fixture.ts'

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
  expect((await limited.operator('GET', '/operator/v1/reports/exposure')).json).toMatchObject({
    is_quoting_stopped: true,
  })
  expect(await polled(100_000_00n)).toEqual([503, 'RATE_UNAVAILABLE'])
  expect(await quoted()).toEqual([201, undefined])
  expect(await faults()).toEqual([])
})
