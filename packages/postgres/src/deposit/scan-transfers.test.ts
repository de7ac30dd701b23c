import {
  asRecorded,
  buildersOfAnotherTenant,
  type DepositBuilders,
  depositBuilders,
  eventsAbout,
  laterInstant,
  newObservedTransfer,
  refOf,
  settleDepositCommit,
  type TransferOptions,
} from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { EventRecord, NewEvent, ObservedTransfer } from '@quipu/core/adapter'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTransaction, doesWait } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { everything, newEndpoint } from '../test/deliveries.fixture.ts'

const harness = useStoreHarness()
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(harness.world)
  await deposits.pending()
})

const seen = (options: TransferOptions = {}): ObservedTransfer =>
  newObservedTransfer(harness.world, deposits.topUp, options)
const idOf = ({ step }: ObservedTransfer): string => step.deposit.id

/** The decisions of solid blocks about deposits, and the amounts in micro-USDT. */
async function decided(...ids: readonly string[]): Promise<readonly string[]> {
  const rows = await harness.sql(
    `select concat_ws(' ', coalesce(d.solid, 'pending'), d.amount) as decided from unnest($1::text[]) with ordinality i (id, n)
     join quipu.deposit d using (id) order by i.n`,
    [ids],
  )
  return rows.map((row) => String(row['decided']))
}

/** Expects that the only event about its deposit is this one, byte for byte. */
async function expectStored(event: EventRecord | NewEvent): Promise<void> {
  const { id, tenantId, subjectId, body } = 'body' in event ? event : asRecorded(event)
  const [stored, ...more] = await eventsAbout(harness.stores, tenantId, subjectId)
  expect(more).toEqual([])
  expect({ id: stored?.id, body: [...(stored?.body ?? [])] }).toEqual({ id, body: [...body] })
}

test('the head alone rules out no transfer', async () => {
  const observed = seen()
  await deposits.head.scan({ observedTransfers: [observed] })
  await deposits.head.scan({ gone: [refOf(observed)] })
  expect(await decided(idOf(observed))).toEqual(['pending 25000000'])
})

describe('each of several transfers of several tenants', () => {
  let other: DepositBuilders
  beforeAll(async () => {
    other = await buildersOfAnotherTenant(harness.world, deposits)
  })
  const ofBoth = () => [
    seen({ value: 5n }),
    newObservedTransfer(harness.world, other.topUp, { value: 123_456_789_012n }),
    seen({ value: 7n }),
  ]

  test('has its own event that is redated when the log is later', async () => {
    const after = new Date(laterInstant.getTime() + 5_000)
    await deposits.due()
    await other.due()
    for (const claimed of await harness.stores.deposits.claimDue(100, 100)) {
      const write = settleDepositCommit(harness.world, claimed, {}, after)
      expect(await harness.stores.deposits.commit(write)).toBe('committed')
    }
    const observedTransfers = ofBoth()
    await deposits.head.scan({ observedTransfers })
    for (const { step } of observedTransfers) await expectStored(step.event.recordedOn(after))
    for (const { tenantId } of [deposits, other]) await harness.expectBalanced(tenantId)
  })
})

test('a pending deposit signals a delivery to the tenant’s endpoint', async () => {
  const other = await buildersOfAnotherTenant(harness.world, deposits)
  const endpointId = await newEndpoint(harness, other.tenantId)
  await other.pending()
  const signals = await harness.sql('select tenant_ids from quipu.delivery_signal')
  expect(signals).toEqual([{ tenant_ids: [other.tenantId] }])
  const claimed = await harness.stores.deliveries.claimDue(everything)
  expect(claimed.map(({ claim }) => claim.endpointId)).toEqual([endpointId])
})

test('the head waits for a solid block of the same transfer, and inserts no second deposit', async () => {
  const observed = seen()
  await deposits.head.scan()
  const solid = await openTransaction(harness.stores.url)
  await solid.sql(`select from quipu.scan where chain = 'tron' and view = 'solid' for no key update`)
  const { tenantId, txHash, address } = observed.step.deposit
  await solid.sql(
    `insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address,
       sender, amount, created_at, first_block, expires_at, solid, solid_block, due_at)
     values ('dep_solid', $1, 'tron', $2, 0, $3, '', '', 25, now(), 1, now(), 'confirmed', 1, 'infinity')`,
    [tenantId, txHash, address],
  )
  const scanning = deposits.head.scan({ observedTransfers: [observed] })
  await doesWait(harness.sql, scanning)
  await solid.commit()
  expect(await scanning).toEqual([])
  const { items } = await harness.stores.deposits.list(tenantId, { limit: 100 })
  expect(items.filter((each) => each.txHash === txHash)).toMatchObject([{ id: 'dep_solid', amount: usdt(25n) }])
})
