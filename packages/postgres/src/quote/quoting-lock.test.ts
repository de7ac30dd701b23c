import { someInstant, credentialOf } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('of two pauses that wait for one row, the second finds quoting paused', async () => {
  const { quoting, audit } = harness.stores
  const change = { by: 'ana', at: someInstant, reason: 'test' }
  for (const status of ['paused', 'open'] as const)
    await quoting.set(status, { ...change, reason: status === 'paused' ? 'test' : null }, credentialOf('ana'))
  const holder = await openTransaction(harness.stores.url)
  await holder.sql('select from quipu.quoting for no key update')
  const pauses = ['ana', 'eva'].map((by) => quoting.set('paused', { ...change, by }, credentialOf(by)))
  await untilWaiting(harness.sql, 2, ...pauses)
  await holder.commit()
  expect((await Promise.all(pauses)).toSorted()).toEqual(['committed', 'stale'])
  expect(await audit.list({ subject: 'quoting', limit: 9 })).toHaveLength(3)
})
