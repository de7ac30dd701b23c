import { startQrNetwork } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { openPayoutHarness, type PayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { operatorAt } from '../reconciliation/reconciliation.fixture.ts'
import { type Payout, type Tenant } from '../harness/tenant.fixture.ts'

/** A network that has seen no payment, as of another installation, or of one that lost its ledger. */
async function emptyNetwork(stack: AsyncDisposableStack) {
  const network = await startQrNetwork({ token: 'the-token-of-the-network', callbackSecret: 'none' })
  stack.defer(() => network.stop())
  return network
}

/** A completed payout, and one that the network has paid and whose answer was lost. */
async function payouts(harness: PayoutHarness, api: Tenant) {
  const completed = (await api.pay(await harness.order(api))).json as Payout
  expect(completed.status).toBe('completed')
  const order = await harness.order(api, 'pay_then_drop')
  const lost = (await api.pay(order)).json as Payout
  expect(lost.status).toBe('processing')
  return { completed, lost }
}

const statusOf = async (api: Tenant, { id }: Payout): Promise<string> =>
  ((await api.get(`/v1/payouts/${id}`)).json as Payout).status

test('a worker with another network settles nothing, and the right one settles', async () => {
  await using stack = new AsyncDisposableStack()
  await using harness = await openPayoutHarness()
  const api = await harness.startApi()
  const { lost } = await payouts(harness, api)
  const other = await emptyNetwork(stack)
  const wrong = { QR_NETWORK_URL: other.url, QR_NETWORK_IDENTITY: other.url }
  await harness.startWorker(wrong)
  await api.untilOutput(/"alert":"NETWORK_CHANGED"/)
  await until('the fault is shown', async () =>
    JSON.stringify((await operatorAt(api.operatorUrl).ask('GET', '/network')).json).includes(other.url),
  )
  expect(other.requests(lost.id)).toMatchObject([{ get: 0, cancel: 0 }])
  expect(await statusOf(api, lost)).toBe('processing')
  await harness.startWorker()
  await until('the payout is completed', async () => (await statusOf(api, lost)) === 'completed')
})

test('a network that came back without its ledger cancels nothing, and halts all processes', async () => {
  await using stack = new AsyncDisposableStack()
  await using harness = await openPayoutHarness()
  const api = await harness.startApi()
  const { completed, lost } = await payouts(harness, api)
  const empty = await emptyNetwork(stack)
  await harness.startWorker({ QR_NETWORK_URL: empty.url })
  await api.untilOutput(new RegExp(`"alert":"NETWORK_CHANGED".*${completed.id}`))
  expect(await statusOf(api, lost)).toBe('processing')
  await until('payments are refused', async () => {
    const order = await harness.order(api)
    return (await api.pay(order)).status === 503
  })

  const confirmed = { identity: 'simulator', reason: 'It was restored from a backup.' }
  expect((await operatorAt(api.operatorUrl).post('/network/confirm', confirmed)).json).toMatchObject({ halts: [] })
  // An earlier order is an operator’s to decide: this network does not know what was completed then.
  await until('payments go on', async () => {
    const order = await harness.order(api)
    return (await api.pay(order)).status === 201
  })
  expect(await statusOf(api, lost)).toBe('processing')
})
