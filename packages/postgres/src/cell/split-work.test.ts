import {
  credentialOf,
  depositBuilders,
  firstOf,
  newKey,
  newObservedTransfer,
  newTopUp,
  paidAnswer,
  scanner,
  settleDepositCommit,
  signatureOf,
  someOperator,
  sweepPlan,
} from '@quipu/contracts'
import { Unavailable, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { openCell, quickly, type Side, sql } from './cell.fixture.ts'
import { movedKeys, readCell } from './read-cell.ts'
import { splitCell, undoSplit } from './split-cell.ts'

/** Tenants of cell g, one of which moves to cell h. */
async function openSplit() {
  const cell = await openCell()
  const { g, from, to } = cell
  const deposits = await depositBuilders(g)
  const stay = await newTopUp(g, await g.newWallet(usdt(1_000n)))
  return { ...cell, deposits, stay, split: { from, to, tenants: [deposits.tenantId], cell: 'h' } }
}

test('deposits to a moved address are credited once, by the scan and the worker of its new cell', async () => {
  const { g, to, open, deposits, split } = await openSplit()
  const { tenantId, topUp, solid } = deposits
  const [before] = await deposits.due({ block: 100 })
  await splitCell(split, quickly)
  const h = open(to)
  await sql(to, "update quipu.scan set leased_until = '-infinity'")
  const there = await scanner(h, 'solid')

  // Both scans come to a block with a transfer to this address.
  expect(await g.addresses.match('tron', [topUp.account])).toEqual([])
  await solid.scan()
  await there.scan({ observedTransfers: [newObservedTransfer(h, topUp, { block: 101 })] })
  expect(await g.deposits.claimDue(9, 60)).toEqual([])
  const claimed = await h.deposits.claimDue(9, 60)
  expect(claimed.map(({ deposit }) => deposit.id)).toContain(before?.id)
  expect(claimed).toHaveLength(2)
  for (const each of claimed) expect(await h.deposits.commit(settleDepositCommit(h, each))).toBe('committed')
  const balanceAt = async ({ wallets }: Side) => (await wallets.find(tenantId))?.available.minor
  expect([await balanceAt(g), await balanceAt(h)]).toEqual([0n, 50_000_000n])
})

test('each cell sweeps its own addresses, and signs its part of a batch of before', async () => {
  const { g, to, open, deposits, stay, split } = await openSplit()
  const { topUp } = deposits
  const plan = sweepPlan(g, [stay, topUp])
  await g.sweeps.insert(plan, credentialOf('ada'))
  await splitCell(split, quickly)
  const h = open(to)
  const signed = plan.transfers.map(({ id, account, txHash }) => ({
    transferId: id,
    signature: signatureOf(account, txHash),
  }))
  const sweptBy = async ({ sweeps }: Side) => {
    const { items } = await sweeps.addresses('tron', { limit: 9 })
    await sweeps.sign(plan.batch.id, signed, someOperator)
    const claimed = await sweeps.claimDue(9, 60)
    return [items.map(({ account }) => account), claimed.map(({ transfer }) => transfer.account)]
  }
  expect(await sweptBy(g)).toEqual([[stay.account], [stay.account]])
  expect(await sweptBy(h)).toEqual([[topUp.account], [topUp.account]])
  await expect(g.sweeps.insert(sweepPlan(g, [topUp]), credentialOf('ada'))).rejects.toThrow('the tenant moves')
  expect(firstOf(sweepPlan(h, [topUp])).account).toBe(topUp.account)
})

test('a line of the statement belongs to one cell, also of a payout that moved before it ended', async () => {
  const { g, to, open, stay, split } = await openSplit()
  const tenants = [await g.newWallet(usdt(1_000n))]
  const [own, moved] = await Promise.all(
    [stay.tenantId, ...tenants].map(async (tenant) =>
      g.newPayout(await g.newQuote(tenant, { source: usdt(1n) }), { leaseSeconds: 0 }),
    ),
  )
  if (own === undefined || moved === undefined) throw new Error('nothing was paid')
  await splitCell({ ...split, tenants }, quickly)
  const h = open(to)
  expect(await h.payouts.commit(h.settleCommit(moved, paidAnswer(moved)))).toBe('committed')
  await expect(g.payouts.commit(g.settleCommit(moved, paidAnswer(moved)))).rejects.toThrow(Unavailable)
  const ownLines = async ({ reconciliations }: Side) =>
    (await reconciliations.findPayments([own.id, moved.id]))
      .filter(({ isElsewhere }) => !isElsewhere)
      .map(({ payoutId }) => payoutId)
  expect(await ownLines(g)).toEqual([own.id])
  // The first claim drops the leases of frozen copies. The line of such a payout must not be a payment that nobody knows.
  await g.payouts.claimDue(9, 60)
  expect(await g.reconciliations.findPayments([moved.id])).toMatchObject([{ isElsewhere: true }])
  expect(await ownLines(h)).toEqual([moved.id])
})

test('two operators at once, new tenants and other moves leave each tenant in one cell', async () => {
  const { g, from, to, open, deposits, stay, split } = await openSplit()
  const third = await g.newWallet(usdt(1_000n))
  await sql(from, 'select quipu.drain_tenants($1, $2)', [[third], 'j'])
  const key = { ...newKey(g, deposits.tenantId), createdAt: new Date(Date.now() + 60_000) } // by a clock that is ahead
  await g.apiKeys.issue(key, credentialOf('ada'))
  let newcomer = ''
  const pause = async (): Promise<void> => {
    newcomer ||= await g.newWallet(usdt(1_000n))
    await expect(undoSplit(split)).rejects.toThrow('another split has this database')
  }
  await splitCell(split, { drainSeconds: 1, pause })
  expect(newcomer).not.toBe('')
  expect(await movedKeys(to)).toEqual({ letter: 'h', hashes: [key.hash] })

  const h = open(to)
  const listed = async ({ tenants }: Side) => (await tenants.list({ limit: 9 })).items.map(({ id }) => id)
  expect(await listed(h)).toEqual([deposits.tenantId])
  expect(new Set(await listed(g))).toEqual(new Set([stay.tenantId, third, newcomer]))
  for (const tenant of [stay.tenantId, third, newcomer]) {
    const commit = h.acceptCommit(await h.newQuote(tenant, { source: usdt(1n) }))
    await expect(h.payouts.commit(commit)).rejects.toThrow(Unavailable)
  }
  expect(await readCell(to)).toMatchObject({ tenants: 1 })
})
