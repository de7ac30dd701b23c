import { describe, test } from 'vitest'
import { tronAddressFormat } from '@quipu/tron'
import { type FundingWorld, openFundingWorld } from '../harness/deposit-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Tenant } from '../harness/tenant.fixture.ts'

const address = tronAddressFormat.format('a1'.repeat(20))
const request = { key: 'attempt-1', body: { chain: 'tron', address, amount: '25.00' } }

/** Asks in vain. @returns whether it was answered after all */
const askInVain = (tenant: Tenant): Promise<boolean> =>
  tenant.askFaucet(request).then(
    () => true,
    () => false,
  )

const received = (world: FundingWorld): readonly bigint[] =>
  world.chain
    .transfers('solid')
    .filter(({ to }) => to === address)
    .map(({ value }) => value)

/** As if the time were over for which the API has its send to itself. */
const endLease = 'update quipu.faucet_send set due_at = clock_timestamp()'

/** The chain goes on until the worker has seen the end of every send. */
const untilEnded = (world: FundingWorld): Promise<unknown> =>
  until('every send has ended', async () => {
    world.chain.mine()
    const open = `select 1 from quipu.faucet_send where status = 'submitted'`
    return (await world.database.query(open)).length === 0
  })

describe.concurrent('kill -9 of the API while the faucet gives', () => {
  test.for([
    ['before the transfer is signed: nothing is sent, and the key is free', 'getblock', 'before'],
    ['before the transfer is sent: a worker sends it', 'broadcasttransaction', 'before'],
    ['after it was sent, before the answer: it is not sent again', 'broadcasttransaction', 'after'],
  ] as const)('%s', async ([, on, when], { expect }) => {
    await using world = await openFundingWorld()
    const api = await world.startApi()
    world.chain.addFaults({ kind: 'hang', when, on, times: 1 })
    const answered = askInVain(api)
    await world.chain.untilHanging(1)

    await api.kill()
    expect(await answered).toBe(false)
    world.chain.clearFaults()
    world.openWorker()
    const next = await world.openApi()
    const again = await next.askFaucet(request)

    expect(again).toMatchObject({
      status: 201,
      json: { status: 'submitted', amount: '25.000000', replayed: on === 'broadcasttransaction' },
    })
    await world.database.query(endLease)
    await untilEnded(world)
    expect(received(world)).toEqual([25_000_000n])
  })
})
