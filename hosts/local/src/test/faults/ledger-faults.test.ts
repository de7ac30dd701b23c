import { afterAll, expect, test } from 'vitest'
import { openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { openPayoutHarness, type PayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Payout, Tenant } from '../harness/tenant.fixture.ts'
import { operatorAt } from '../reconciliation/reconciliation.fixture.ts'
import { alertGateway } from './alert-gateway.fixture.ts'
import { openConsole } from './console.fixture.ts'
import { alertAfter, learnedFrom, printMeasured } from './faults.fixture.ts'

// Each fault that a row can have, planted as a superuser would: without triggers. Real processes find it.

const settings = { LEDGER_CHECK_SECONDS: '1' }

afterAll(printMeasured)

/** SQL that no trigger or foreign key sees. */
const untriggered = (sql: string): string => `begin; set local session_replication_role = replica; ${sql}; commit`

async function completed(harness: PayoutHarness, tenant: Tenant): Promise<string> {
  const { json } = await tenant.pay(await harness.order(tenant))
  expect(json).toMatchObject({ status: 'completed' })
  return (json as Payout).id
}

test('a wallet that SQL changed, a missing posting, and a repriced quote', async () => {
  await using gateway = await alertGateway()
  await using harness = await openPayoutHarness()
  const { query } = harness.database
  const api = await harness.startApi(settings)
  const learned = learnedFrom(api.operatorUrl)
  await using open = await openConsole(api.operatorUrl, '/differences')
  const worker = await harness.startWorker({ ...settings, ...gateway.env })
  const [removed, repriced] = [await completed(harness, api), await completed(harness, api)]
  const [wallet] = await query<{ id: string; tenant_id: string }>('select * from quipu.wallet')
  const walletId = wallet?.id ?? ''
  await until('the wallet was checked to its end', async () => {
    const [row] = await query(
      `select from quipu.ledger_check c join quipu.wallet w using (tenant_id)
       where (c.checked).seq = w.seq and c.rechecked_at > '-infinity'`,
    )
    return row
  })
  expect(await learned.metric('quipu_ledger_drift_micro_usdt')).toBe(0)

  const change = (by: number) => query(`update quipu.wallet set available = available + ${by}`)
  await alertAfter('a wallet row changed by SQL', () => change(7), worker, {
    alert: 'LEDGER_DIFFERENCE',
    subject: walletId,
    detail: /available is .*: 0\.000007 USDT off/,
    gateway,
  })
  await learned.untilMetric('quipu_ledger_drift_micro_usdt', (value) => value === 7)
  expect(await learned.differences()).toEqual([`available ${walletId}`])
  await open.shows(walletId)
  await change(-7)
  await learned.untilMetric('quipu_ledger_drift_micro_usdt', (value) => value === 0)
  await gateway.got('LEDGER_DIFFERENCE', 'resolved', walletId)

  const remove = untriggered(`delete from quipu.payout_end where payout_id = '${removed}'`)
  await alertAfter('a posting missing', () => query(remove), worker, {
    alert: 'LEDGER_DIFFERENCE',
    subject: removed,
    detail: /has not ended and has no lease/,
  })
  const reprice = untriggered(
    `update quipu.quote q set source = source - 1, principal = principal - 1
     from quipu.payout p where p.quote_id = q.id and p.id = '${repriced}'`,
  )
  await alertAfter('a quote repriced', () => query(reprice), worker, {
    alert: 'LEDGER_DIFFERENCE',
    subject: repriced,
    detail: /a hold of 10\.\d+ USDT is not the 10\.\d+ USDT of its quote/,
  })
  await learned.untilMetric('quipu_differences_open{check="ledger"}', (value) => value >= 2)
  const kinds = (await learned.differences()).map((each) => each.split(' ')[0])
  expect(kinds).toEqual(expect.arrayContaining(['lease', 'posting', 'recheck']))
  for (const id of [removed, repriced]) await open.shows(id)
})

const forgedId = 'dep_01KJKB3Q000000000000000001'

/** A second credit like the only one, in every row that a credit has, of a transfer that no block contains. */
const forgedCredit = untriggered(`
  with e as materialized (select u.id, uuid_extract_timestamp(u.id) as at from uuidv7() u (id)),
  d as (
    insert into quipu.deposit
    select (jsonb_populate_record(d, jsonb_build_object('id', '${forgedId}', 'credited_at', e.at,
      'tx_hash', '${'ab'.repeat(32)}'))).*
    from quipu.deposit d, e
  ), f as (
    insert into quipu.funding_entry
    select (jsonb_populate_record(f, jsonb_build_object('seq', w.seq + 1, 'logged_at', e.at,
      'occurred_at', e.at, 'event_id', e.id, 'available_after', w.available + f.amount,
      'subject_id', '${forgedId}'))).*
    from quipu.funding_entry f join quipu.wallet w on w.tenant_id = f.tenant_id, e
    where f.type = 'deposit.credited'
  )
  update quipu.wallet w set seq = w.seq + 1, logged_at = e.at, available = w.available + 25000000
  from e`)

test('a credit without its transfer, and a balance of the chain that is short', { tags: 'long' }, async () => {
  await using gateway = await alertGateway()
  await using harness = await openDepositHarness()
  const { chain, sender } = harness
  const api = await harness.startApi(settings)
  const operator = operatorAt(api.operatorUrl)
  const learned = learnedFrom(api.operatorUrl)
  const worker = await harness.startWorker({ ...settings, ...gateway.env, TRON_CHECK_REQUESTS_PER_SECOND: '1000' })
  // The daily run ends at once, while there is no address whose scan it would wait for.
  await operator.scheduled('chain')
  const to = await topUpAddressOf(api)
  chain.transfer({ from: sender, to, value: 25_000_000n })
  harness.solidify()
  await harness.untilDeposits(api, 'credited')
  chain.mine(60) // A replica of the node may lag by a minute, so newer transfers are not compared.

  const request = async (): Promise<void> => {
    chain.setTokenBalance(to, 24_999_999n)
    const { status } = await operator.post('/reconciliation-runs', { check: 'chain' })
    expect(status).toBe(202)
  }
  const mining = setInterval(() => chain.mine(2), 100)
  await alertAfter('a chain balance short (from the request of a run)', request, worker, {
    alert: 'CHAIN_DIFFERENCE',
    subject: to,
    detail: /24\.999999 USDT .* instead of 25\.000000/,
    gateway,
  }).finally(() => clearInterval(mining))
  await alertAfter('a credit without its transfer', () => harness.database.query(forgedCredit), worker, {
    alert: 'LEDGER_DIFFERENCE',
    subject: forgedId,
    gateway,
  })
  expect(await learned.differences()).toEqual([`credit ${forgedId}`, `short ${to}`])
  for (const check of ['ledger', 'chain'] as const) {
    await learned.untilMetric(`quipu_differences_open{check="${check}"}`, (value) => value === 1)
    const [difference] = await operator.differences(check)
    await operator.post(`/differences/${difference?.id}/close`, { reason: 'Planted by a test.' })
  }
  await gateway.got('LEDGER_DIFFERENCE', 'resolved', forgedId)
  await gateway.got('CHAIN_DIFFERENCE', 'resolved', to)
})
