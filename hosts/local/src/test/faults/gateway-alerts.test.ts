import { createLogin } from '@quipu/embedded-postgres'
import { describe, test } from 'vitest'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { restartableServer } from '../harness/restartable-server.fixture.ts'
import { migrateWithOperators, type Payout } from '../harness/tenant.fixture.ts'
import { operatorAt } from '../reconciliation/reconciliation.fixture.ts'
import { alertGateway } from './alert-gateway.fixture.ts'

// Each alert reaches a gateway over HTTP, and so does its end.

describe.concurrent('faults at the gateway of alerts', () => {
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

  test(
    'a statement of another amount, and two workers of which one is killed while the gateway hangs',
    { tags: 'long' },
    async ({ expect }) => {
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
    },
  )
})
