/** @module-tag long */
import { describe, test } from 'vitest'
import { tronAddressFormat } from '@quipu/tron'
import { type DepositHarness, openDepositHarness } from '../harness/deposit-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Tenant } from '../harness/tenant.fixture.ts'

const address = tronAddressFormat.format('a1'.repeat(20))
const request = { key: 'attempt-1', body: { chain: 'tron', address, amount: '25.00' } }

/** Asks an API that is about to be killed. @returns whether it was answered */
const askUnanswered = (tenant: Tenant): Promise<boolean> =>
  tenant.askFaucet(request).then(
    () => true,
    () => false,
  )

const received = (harness: DepositHarness): readonly bigint[] =>
  harness.chain
    .transfers('solid')
    .filter(({ to }) => to === address)
    .map(({ value }) => value)

/** Ends the lease of the API on its send. */
const endLease = 'update quipu.faucet_send set due_at = clock_timestamp()'

/** Mines until the worker has settled every send. */
const untilEnded = (harness: DepositHarness): Promise<unknown> =>
  until('every send has ended', async () => {
    harness.chain.mine()
    const open = `select 1 from quipu.faucet_send where status = 'submitted'`
    return (await harness.database.query(open)).length === 0
  })

describe.concurrent('kill -9 of the API during a faucet request', () => {
  test.for([
    ['before the transfer is signed: nothing is sent, and the idempotency key is unused', 'getblock', 'before'],
    ['before the transfer is sent: a worker sends it', 'broadcasttransaction', 'before'],
    ['after it was sent, before the answer: it is not sent twice', 'broadcasttransaction', 'after'],
  ] as const)('%s', async ([, on, when], { expect }) => {
    await using harness = await openDepositHarness()
    const api = await harness.startApi()
    harness.chain.addFaults({ kind: 'hang', when, on, times: 1 })
    const answered = askUnanswered(api)
    await harness.chain.untilHanging(1)

    await api.kill()
    expect(await answered).toBe(false)
    harness.chain.clearFaults()
    await harness.openWorker()
    const next = await harness.openApi()
    const again = await next.askFaucet(request)

    expect(again).toMatchObject({
      status: 201,
      json: { status: 'submitted', amount: '25.000000', replayed: on === 'broadcasttransaction' },
    })
    await harness.database.query(endLease)
    await untilEnded(harness)
    expect(received(harness)).toEqual([25_000_000n])
  })
})
