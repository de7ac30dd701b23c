import { createLogin } from '@quipu/embedded-postgres'
import { describe, test } from 'vitest'
import { openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { restartableServer } from '../harness/restartable-server.fixture.ts'
import { migrateWithOperators, type Payout } from '../harness/tenant.fixture.ts'
import { operatorAt } from '../reconciliation/reconciliation.fixture.ts'
import { alertGateway } from './alert-gateway.fixture.ts'
import { peopleAt } from './ended-alerts.fixture.ts'

// Each alert reaches a gateway over HTTP, and so does its end.

describe.concurrent('faults at the gateway of alerts', () => {
  test('the only worker is killed: the API sends the alert, and its end when another one runs', async ({ expect }) => {
    await using gateway = await alertGateway()
    await using harness = await openPayoutHarness()
    await harness.startApi({ ...gateway.env, PROCESS_MISSING_SECONDS: '15' })
    const worker = await harness.startWorker(gateway.env)
    await until('the digest of the day arrives', () => gateway.digests[0])
    await worker.kill()
    const raised = await gateway.got('NO_WORKER', 'raised')
    expect(raised).toMatchObject({
      severity: 'page',
      subject: 'worker',
      runbook: 'https://git.example/alerts.md#no_worker',
      environment: 'sandbox',
      ended_at: null,
    })
    const missing = await gateway.got('PROCESS_MISSING', 'raised')
    await harness.startWorker(gateway.env)
    for (const { code, id } of [raised, missing])
      expect(await gateway.got(code, 'resolved')).toMatchObject({ id, sequence: 1 })
    expect([gateway.unsigned, gateway.digests.length]).toEqual([0, 1])
  })

  test('the database is gone: each process sends the alert itself, once, and the end when it is back', async ({
    expect,
  }) => {
    await using server = await restartableServer()
    const url = await server.start()
    await migrateWithOperators(url)
    const login = { name: 'quipu_app', password: 'choose one', memberOf: 'quipu_process' }
    await using gateway = await alertGateway()
    await using harness = await openPayoutHarness({ url, roleUrl: await createLogin(url, login) })
    await harness.startApi(gateway.env)
    await server.stop()
    const raised = await gateway.got('DATABASE_CANNOT_COMMIT', 'raised')
    await server.start()
    expect(await gateway.got('DATABASE_CANNOT_COMMIT', 'resolved')).toMatchObject({ id: raised.id, sequence: 1 })
    const statuses = gateway.alerts.filter(({ id }) => id === raised.id).map(({ status }) => status)
    expect(statuses).toEqual(['raised', 'resolved'])
  })

  test('a statement of another amount, and two workers of which one is killed while the gateway hangs', async ({
    expect,
  }) => {
    await using gateway = await alertGateway()
    await using harness = await openPayoutHarness()
    const soon = { ...gateway.env, RECONCILIATION_SETTLE_SECONDS: '1' }
    const api = await harness.startApi({ RECONCILIATION_SETTLE_SECONDS: '1' })
    const operator = operatorAt(api.operatorUrl)
    gateway.answers = false
    const killed = await harness.startWorker(soon)
    await until('the digest is under way', () => gateway.attempts > 0)
    await operator.scheduled('network')
    const { json } = await api.pay(await harness.order(api))
    const { id } = json as Payout
    await harness.network.setFaults({ statement: { omit: [], amounts: { [id]: '99.00' }, add: [] } })
    const end = Date.now() + 1
    await until('the payment has settled', async () => {
      const period = { from: new Date(end - 3_600_000), to: new Date(end) }
      return (await operator.post('/reconciliation-runs', { check: 'network', ...period })).status === 202
    })
    await killed.untilOutput(/"alert":"NETWORK_DIFFERENCE"/)
    await killed.kill()
    gateway.answers = true
    await harness.startWorker(soon)
    await harness.startWorker(soon)
    const raised = await gateway.got('NETWORK_DIFFERENCE', 'raised', id)
    const [difference] = await operator.differences('network')
    await operator.post(`/differences/${difference?.id}/close`, { reason: 'the network has corrected it' })
    expect(await gateway.got('NETWORK_DIFFERENCE', 'resolved', id)).toMatchObject({ id: raised.id })
    await until('the digest of the day arrives', () => gateway.digests[0])
    expect([gateway.unsigned, gateway.digests.length]).toEqual([0, 1])
  })

  test('a large deposit in review is alerted at once, and resolved when it is decided', async ({ expect }) => {
    await using gateway = await alertGateway()
    await using harness = await openDepositHarness()
    const { chain, sender } = harness
    const api = await harness.startApi({
      ...gateway.env,
      REVIEW_ALERT_USDT: '5.000000',
      DEPOSIT_AUTO_LIMIT: '6.000000',
    })
    await harness.startWorker({ ...gateway.env, DEPOSIT_AUTO_LIMIT: '6.000000' })
    const to = await topUpAddressOf(api)
    chain.transfer({ from: sender, to, value: 7_000_000n })
    harness.solidify()
    const raised = await gateway.got('REVIEWS_LARGE', 'raised')
    expect(raised).toMatchObject({
      severity: 'page',
      detail: expect.stringMatching(/^1 of 7\.000000 USDT are in review/),
    })
    const [deposit] = await harness.untilDeposits(api, 'in_review')
    await peopleAt(api.operatorUrl).agree(`/deposits/${deposit?.id}/close`, { reason: 'returned' })
    expect(await gateway.got('REVIEWS_LARGE', 'resolved')).toMatchObject({ id: raised.id })
  })
})
