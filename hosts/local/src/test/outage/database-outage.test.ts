import { createLogin } from '@quipu/embedded-postgres'
import { expect, test } from 'vitest'
import { expectConsistentPayout } from '../harness/expect-payout.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { restartableServer } from '../harness/restartable-server.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { migrateWithOperators } from '../harness/tenant.fixture.ts'

const uncertain = { status: 503, json: { error: { code: 'OPERATION_UNCERTAIN' } } }

test('a database outage during a payment: 503 OPERATION_UNCERTAIN, and the repeated request is correct', async () => {
  await using server = await restartableServer()
  const url = await server.start()
  await migrateWithOperators(url)
  const login = { name: 'quipu_app', password: 'choose one', memberOf: 'quipu_process' }
  await using harness = await openPayoutHarness({ url, roleUrl: await createLogin(url, login) })
  await harness.openWorker()
  const api = await harness.openApi()
  const [started, unstarted] = [await harness.order(api), await harness.order(api)]
  await harness.network.setFaults({ hang_at: 'before_paying' })
  const answer = api.pay(started)
  await harness.network.untilHanging()

  await server.stop()
  harness.network.release()
  expect(await answer).toMatchObject(uncertain) // The network has paid; the outcome cannot be stored.
  expect(await api.pay(started)).toMatchObject(uncertain)
  expect(await api.pay(unstarted)).toMatchObject(uncertain)

  await server.start()
  await until('the API is ready again', async () => (await api.get('/readyz')).status === 200)
  expect(await expectConsistentPayout(expect, harness, api, started)).toMatchObject({ status: 'completed' })
  expect(await api.pay(unstarted)).toMatchObject({ status: 201, json: { status: 'completed' } })
  expect(await expectConsistentPayout(expect, harness, api, unstarted)).toMatchObject({ status: 'completed' })
})
