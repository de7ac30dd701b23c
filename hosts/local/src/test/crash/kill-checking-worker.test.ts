import { expect, test } from 'vitest'
import { alertLines } from '../faults/faults.fixture.ts'
import type { DatabaseProbe } from '../harness/database-probe.fixture.ts'
import { openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'
import type { Payout } from '../harness/tenant.fixture.ts'
import { operatorAt, type RunJson, untilFirstSlice } from '../reconciliation/reconciliation.fixture.ts'

// A worker is killed in the middle of each check. The next one goes on where it stopped: no difference is lost,
// and none is recorded twice.

/** Kind, subject and number of all differences that were ever recorded. */
const recorded = async ({ query }: DatabaseProbe): Promise<readonly string[]> =>
  (
    await query<{ text: string }>(
      `select kind || ' ' || subject || ' ' || count(*) as text from quipu.difference
       group by kind, subject order by 1`,
    )
  ).map(({ text }) => text)

const alertsOf = (worker: Program, subjects: readonly string[]): Promise<boolean> =>
  until('the next worker alerts each difference', () => {
    const alerts = alertLines(worker.output())
    return subjects.every((subject) => alerts.some((alert) => alert.subject === subject))
  })

test('killed while the ledger check records a difference', async () => {
  await using harness = await openPayoutHarness()
  const { query, lockDifferences, untilBlocked } = harness.database
  const api = await harness.openApi()
  const paid: string[] = []
  for (let n = 0; n < 3; n++) {
    const { json } = await api.pay(await harness.order(api))
    paid.push((json as Payout).id)
  }
  const [wallet] = await query<{ id: string }>('select id from quipu.wallet')
  const [first = '', , last = ''] = paid
  await query(
    `begin; set local session_replication_role = replica;
     update quipu.wallet set available = available + 7;
     update quipu.quote q set source = source - 1, principal = principal - 1 from quipu.payout p
     where p.quote_id = q.id and p.id in ('${first}', '${last}');
     commit`,
  )
  const wanted = [`available ${wallet?.id ?? ''} 1`, ...[first, last].map((id) => `posting ${id} 1`).toSorted()]
  const settings = { LEDGER_CHECK_SECONDS: '1' }

  const unlock = await lockDifferences()
  const worker = await harness.startWorker(settings)
  await untilBlocked('check_ledger')
  expect(await recorded(harness.database)).toEqual([])
  await worker.kill()
  await unlock()
  const next = await harness.startWorker(settings)

  await alertsOf(next, [wallet?.id ?? '', first, last])
  await until('the wallet was rechecked since', async () => {
    const [row] = await query(`select from quipu.ledger_check c
      where c.rechecked_at > (select max(d.found_at) from quipu.difference d)`)
    return row
  })
  expect(await recorded(harness.database)).toEqual(wanted)
})

test('killed in the middle of a comparison with the network’s statement', async () => {
  await using harness = await openPayoutHarness()
  const { network } = harness
  const soon = { RECONCILIATION_SETTLE_SECONDS: '1', RECONCILIATION_LEASE_SECONDS: '3' }
  const api = await harness.startApi(soon)
  const operator = operatorAt(api.operatorUrl)
  const paid: string[] = []
  for (let n = 0; n < 3; n++) {
    const { json } = await api.pay(await harness.order(api))
    paid.push((json as Payout).id)
  }
  const worker = await harness.startWorker(soon)
  await operator.scheduled('network')
  const [missing = '', other = ''] = paid
  const statement = { omit: [missing], amounts: { [other]: '99.00' } }
  await network.setFaults({ hang_at: 'before_statement', statement })
  const end = Date.now() + 1 // The end is not part of the period.
  const period = { from: new Date(end - 3 * 3_600_000), to: new Date(end) }
  const { id } = await until('the payments have settled', async () => {
    const { status, json } = await operator.post('/reconciliation-runs', { check: 'network', ...period })
    return status === 202 && (json as RunJson)
  })
  await untilFirstSlice(network, operator, id)
  await worker.kill()
  expect(await operator.run(id)).toMatchObject({ status: 'running', slices: 1 })
  await network.setFaults({ hang_at: null })

  const next = await harness.startWorker(soon)

  const after = await operator.completed(id)
  expect(after).toMatchObject({ differences: 2 })
  await alertsOf(next, [missing, other])
  expect(await recorded(harness.database)).toEqual([`absent_there ${missing} 1`, `other_amount ${other} 1`].toSorted())
})

test('killed in the middle of a comparison with the chain', { tags: 'long' }, async () => {
  await using harness = await openDepositHarness()
  const { chain, sender, database } = harness
  const soon = { RECONCILIATION_LEASE_SECONDS: '3' }
  const api = await harness.startApi(soon)
  const operator = operatorAt(api.operatorUrl)
  const fast = await harness.startWorker(soon)
  await operator.scheduled('chain')
  const [tenant] = await database.query<{ id: string }>('select id from quipu.tenant')
  const addresses: string[] = []
  for (;;) {
    addresses.push(await topUpAddressOf(api))
    // Each address gets tokens: a run compares one without any on one day in thirty only.
    if (addresses.length === 101) break
    const rotated = await operator.post(`/tenants/${tenant?.id ?? ''}/top-up-addresses/rotate`, {})
    expect(rotated.status).toBe(200)
  }
  for (const to of addresses) chain.transfer({ from: sender, to, value: 5_000_000n })
  harness.solidify()
  chain.mine(60) // A replica of the node may lag by a minute, so newer transfers are not compared.
  await until('every deposit has an outcome', async () => {
    const [row] = await database.query(
      `select from quipu.deposit having count(*) filter (where status <> 'pending') = 101`,
    )
    return row
  })
  const [first = '', last = ''] = [addresses[0], addresses.at(-1)]
  for (const address of [first, last]) chain.setTokenBalance(address, 4_000_000n)
  await fast.kill()

  // A slice reads fifty balances, asks of each address with tokens whether it is frozen, and reads the balances that
  // are off again: the first slice is 101 requests.
  const on = 'walletsolidity/triggerconstantcontract'
  chain.addFaults({ kind: 'hang', when: 'before', on, after: 130, times: 1 })
  const quick = { ...soon, TRON_CHECK_REQUESTS_PER_SECOND: '1000' }
  const worker = await harness.startWorker(quick)
  const { json } = await operator.post('/reconciliation-runs', { check: 'chain' })
  const { id } = json as RunJson
  const mining = setInterval(() => chain.mine(2), 100)
  try {
    await chain.untilHanging(1)
    await worker.kill()
    expect(await operator.run(id)).toMatchObject({ status: 'running', slices: 1 })
    chain.clearFaults()

    const next = await harness.startWorker(quick)

    const after = await operator.completed(id)
    expect(after).toMatchObject({ compared: 101, differences: 2, slices: 3 })
    await alertsOf(next, [first, last])
  } finally {
    clearInterval(mining)
  }
  expect(await recorded(database)).toEqual([`short ${first} 1`, `short ${last} 1`].toSorted())
})
