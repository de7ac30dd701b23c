import { describe, type ExpectStatic, test } from 'vitest'
import { adminWith } from '../harness/admin.fixture.ts'
import { type DepositHarness, openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { sweepOperator, treasury } from '../harness/sweeps.fixture.ts'
import { operatorToken, type Tenant } from '../harness/tenant.fixture.ts'

const settings = { SWEEP_TREASURY_ADDRESS: treasury, SWEEP_EXPIRES_HOURS: '1' }
const value = 25_000_000n

/** Deposits at the tenant's address, at two if it is rotated between; with TRX for a sweep each. */
async function fundAddresses(harness: DepositHarness, tenant: Tenant, rotate?: () => Promise<void>) {
  const { chain, sender } = harness
  const addresses: string[] = []
  for (const isFirst of rotate ? [true, false] : [true]) {
    if (!isFirst) await rotate?.()
    const address = await topUpAddressOf(tenant)
    addresses.push(address)
    chain.transfer({ from: sender, to: address, value })
    chain.fund(address, { sun: 100_000_000n })
    harness.solidify()
    const credited = isFirst ? ['credited'] : ['credited', 'credited']
    await harness.untilDeposits(tenant, ...credited)
  }
  return addresses
}

/** Expects one transfer of the whole deposit from each address to the treasury, and an untouched ledger. */
async function expectSweptOnce(
  expect: ExpectStatic,
  { chain }: DepositHarness,
  tenant: Tenant,
  addresses: readonly string[],
) {
  const swept = chain.transfers('solid').filter(({ to }) => to === treasury)
  expect(swept.map(({ from, value: moved }) => [from, moved]).toSorted()).toEqual(
    addresses.map((address) => [address, value]).toSorted(),
  )
  const { json } = await tenant.get('/v1/wallets/reconciliation')
  const total = `${25 * addresses.length}.000000`
  expect(json).toMatchObject({ balanced: true, credited: total, available: total })
}

describe.concurrent('sweeps with an offline signer', () => {
  test.for([
    ['before its broadcast', 'before'],
    ['after its broadcast', 'after'],
  ] as const)(
    'a worker that is killed %s, half a batch, two imports and a fork: each is sent once',
    async ([, when], { expect }) => {
      await using harness = await openDepositHarness()
      const { chain } = harness
      const api = await harness.startApi(settings)
      const operator = sweepOperator(harness, api)
      const first = await harness.startWorker()
      const addresses = await fundAddresses(harness, api, async () => {
        const { json } = await operator.ask('GET', '/operator/v1/tenants')
        const [tenant] = (json as { data: { id: string }[] }).data
        const path = `/operator/v1/tenants/${tenant?.id}/top-up-addresses/rotate`
        expect((await operator.ask('POST', path)).status).toBe(200)
      })
      const batch = await operator.plan()
      const signed = await operator.sign(batch)
      expect(signed).toHaveLength(2)
      chain.addFaults({ kind: 'hang', when, on: 'broadcasttransaction', times: 1 })
      expect(await operator.importSigned(batch, signed.slice(0, 1))).toEqual(['signed'])
      await chain.untilHanging(1)
      await first.kill()
      chain.clearFaults()
      expect(await operator.importSigned(batch, signed)).toEqual(['already_signed', 'signed'])
      expect(await operator.importSigned(batch, signed)).toEqual(['already_signed', 'already_signed'])
      await harness.openWorker()
      chain.mine()
      chain.fork(1, { drop: 'all' })
      expect(await operator.untilEnded(batch)).toEqual(['solid', 'solid'])
      await expectSweptOnce(expect, harness, api, addresses)
      const again = await operator.ask('POST', '/operator/v1/sweep/batches', { threshold: '1.00' })
      expect(again.status).toBe(409)
    },
  )

  test('one that expires is planned anew, and only the second one moves tokens', async ({ expect }) => {
    await using harness = await openDepositHarness()
    const { chain } = harness
    const api = await harness.startApi(settings)
    const operator = sweepOperator(harness, api)
    await harness.openWorker()
    const addresses = await fundAddresses(harness, api)
    const batch = await operator.plan()
    const late = await operator.sign(batch)
    chain.mine(1_300) // An hour, and the blocks that replicas may lag.
    expect(await operator.untilEnded(batch)).toEqual(['expired'])
    const admin = adminWith({ QUIPU_OPERATOR_URL: api.operatorUrl, QUIPU_OPERATOR_TOKEN: operatorToken })
    expect(await admin.run('sweeps', 'watch', batch)).toMatchObject({ code: 1 })
    expect(await operator.importSigned(batch, late)).toEqual(['ended'])
    const next = await operator.plan()
    expect(await operator.importSigned(next, await operator.sign(next))).toEqual(['signed'])
    expect(await operator.untilEnded(next)).toEqual(['solid'])
    expect(await admin.run('sweeps', 'watch', next)).toMatchObject({ code: 0 })
    await expectSweptOnce(expect, harness, api, addresses)
  })
})
