import { someInstant } from '@quipu/contracts'
import { databaseOwner } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { confirmRestore, declareRestore, readGate } from './restore.ts'

const harness = useStoreHarness()

const lineage = async () => (await harness.sql('select * from quipu.lineage'))[0]
/** As after the restore of a dump in another cluster, whose history was another one, too. */
const restore = () => harness.sql('update quipu.lineage set system_id = system_id + 1, timeline = 77')

test('without a restore there is nothing to confirm', async () => {
  const own = await lineage()
  expect(await confirmRestore(harness.stores.url, 'none', someInstant)).toBe(false)
  expect(await lineage()).toEqual(own)
  expect(await harness.stores.audit.list({ limit: 1 })).toEqual([])
})

test('a confirmed restore is over, and the audit log has its reason', async () => {
  const { url, audit } = harness.stores
  const own = await lineage()
  await restore()
  expect((await readGate(url)).halt?.reason).toBe('restored')
  expect(await confirmRestore(url, 'the disk failed', someInstant)).toBe(true)
  expect((await readGate(url)).halt).toBeNull()
  const confirmed = { ...own, confirmations: 1, confirmed_at: someInstant, began_at: expect.any(Date) as Date }
  expect(await lineage()).toEqual(confirmed)
  expect(await audit.list({ limit: 2 })).toMatchObject([
    {
      actor: databaseOwner,
      action: 'restore.confirm',
      tenantId: null,
      subject: 'database',
      at: someInstant,
      before: { timeline: 77, halt: 'restored' },
      after: { timeline: Number(own?.['timeline']), reason: 'the disk failed' },
    },
  ])
})

test('a payment that a process has missed before a confirmation halts nothing after it', async () => {
  const { url, restores } = harness.stores
  const seen = await restores.gate()
  await restores.haltForgotten(seen, 'po_1 is not here')
  expect((await readGate(url)).halt?.reason).toBe('payment_forgotten')
  expect(await confirmRestore(url, 'booked', someInstant)).toBe(true)
  await restores.haltForgotten(seen, 'po_1 is not here')
  expect((await readGate(url)).halt).toBeNull()
})

test('of two people who confirm a restore at once one does', async () => {
  await restore()
  await using first = await openOtherSession(harness.stores.url)
  await first.sql('begin')
  const confirm = 'select quipu.confirm_restore($1, $2) as confirmed'
  expect(await first.sql(confirm, ['first', someInstant])).toEqual([{ confirmed: true }])
  const second = confirmRestore(harness.stores.url, 'second', someInstant)
  await untilWaiting(harness.sql, 1, second)
  await first.sql('commit')
  expect(await second).toBe(false)
})

test('of two people who declare a restore at once one does', async () => {
  await using first = await openOtherSession(harness.stores.url)
  await first.sql('begin')
  const declare = 'select quipu.declare_restore($1, $2) as declared'
  expect(await first.sql(declare, ['a snapshot', someInstant])).toEqual([{ declared: true }])
  const second = declareRestore(harness.stores.url, 'second', someInstant)
  await untilWaiting(harness.sql, 1, second)
  await first.sql('commit')
  expect(await second).toBe(false)
  expect(await harness.stores.audit.list({ limit: 1 })).toMatchObject([
    { actor: databaseOwner, action: 'restore.declare', after: { reason: 'a snapshot' } },
  ])
})

test('processes may not declare or confirm a restore', async () => {
  const { processUrl } = harness.stores
  for (const change of [declareRestore, confirmRestore])
    await expect(change(processUrl, 'mine', someInstant)).rejects.toThrow('permission denied')
})
