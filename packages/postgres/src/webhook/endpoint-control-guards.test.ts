import { someInstant, credentialOf, presentedBy } from '@quipu/contracts'
import { defaultEndpointPolicy } from '@quipu/core'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsHappen, everything, newReceiver } from '../test/deliveries.fixture.ts'
import { untilWaiting } from '../test/other-session.fixture.ts'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'

// The rights of the processes' role to endpoints without an operator's token.

let harness: StoreHarness
let thief: pg.Client
let [tenantId, id] = ['', '']
beforeEach(async () => {
  harness = await openStoreHarness()
  ;[tenantId, id] = await newReceiver(harness)
  thief = new pg.Client(harness.stores.processUrl)
  await thief.connect()
})
afterEach(async () => {
  await thief.end()
  await harness.close()
})

const call = async (text: string) => (await thief.query(text)).rows
const stored = () => harness.stores.endpointControl.find(id)

test('an operator’s pause is ended by no function for tenants', async () => {
  const pause = { by: 'ana', at: someInstant, reason: 'Complaints.' }
  const { endpointControl, webhooks, deliveries } = harness.stores
  await endpointControl.pause({ id, tenantId }, pause, credentialOf('ana'))
  await harness.sql(eventsHappen, [tenantId, 3])
  const reactivate = `select * from quipu.reactivate_endpoint('${tenantId}', '${id}', 60, now(), null)`
  expect(await call(reactivate)).toEqual([{ requeued: null, redelivered: null }])
  await webhooks.update(tenantId, id, { url: 'https://hooks.example/moved' }, someInstant)
  expect(await stored()).toMatchObject({ status: 'paused', operatorPause: pause })
  expect(await deliveries.claimDue(everything)).toEqual([])
  expect(await webhooks.queued(tenantId, id)).toBe(3)
})

test('a reactivation that waits for a pause to commit changes nothing', async () => {
  const operator = new pg.Client(harness.stores.processUrl)
  await operator.connect()
  await operator.query('begin')
  const pause = `select quipu.pause_endpoint($1, $2, $4, $3, 'Complaints.') as result`
  const values = [tenantId, id, someInstant, presentedBy('ana')]
  expect((await operator.query(pause, values)).rows).toEqual([{ result: 'committed' }])
  const { webhooks } = harness.stores
  const waiting = webhooks.reactivate(tenantId, id, defaultEndpointPolicy, someInstant)
  await untilWaiting(harness.sql, 1, waiting)
  await operator.query('commit')
  await operator.end()
  expect(await waiting).toBe('paused_by_operator')
  expect(await stored()).toMatchObject({ status: 'paused' })
})
