import {
  buildersOfAnotherTenant,
  credentialOf,
  type DepositBuilders,
  depositBuilders,
  firstOf,
  newKey,
  newSend,
  newSweepPlan,
  newTopUp,
  paidAnswer,
  settleDepositCommit,
  signatureOf,
  someOperator,
} from '@quipu/contracts'
import { Unavailable, usdt } from '@quipu/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { doesWait, openTransaction } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { eventsHappen, everything, newEndpoint } from '../test/deliveries.fixture.ts'

const harness = useStoreHarness({ clockOverride: () => now })
let now = new Date('2026-04-01T00:00:00.000Z')
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(harness.world)
})
beforeEach(() => void (now = new Date(now.getTime() + 86_400_000)))

const call = (name: string, ...values: unknown[]) =>
  harness.sql(`select quipu.${name}(${values.map((_, n) => `$${n + 1}`).join(', ')})`, values)
const drain = (tenant: string) => call('drain_tenants', [tenant], 'h')
const stop = async (tenant: string) => {
  await drain(tenant)
  await call('stop_tenants', [tenant])
}
const leave = async (tenant: string) => {
  await stop(tenant)
  await call('leave_cell', [tenant])
  await call('freeze_tenants')
}

type Work = { readonly tenantId: string; readonly id: string }
type Kind = {
  /** Work of a new tenant that is due. */
  readonly make: () => Promise<Work>
  /** The ids of the work that a claim takes. */
  readonly claim: () => Promise<readonly string[]>
}

const kinds: Readonly<Record<string, Kind>> = {
  payouts: {
    make: async () => {
      const tenantId = await harness.newWallet(usdt(1_000_000n))
      const { id } = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(1n) }), {
        leaseSeconds: 0,
      })
      return { tenantId, id }
    },
    claim: async () => (await harness.stores.payouts.claimDue(100, 60)).map(({ claim }) => claim.payoutId),
  },
  deliveries: {
    make: async () => {
      const tenantId = await harness.newWallet(usdt(0n))
      const id = await newEndpoint(harness, tenantId)
      await harness.sql(eventsHappen, [tenantId, 1])
      return { tenantId, id }
    },
    claim: async () => (await harness.stores.deliveries.claimDue(everything)).map(({ claim }) => claim.endpointId),
  },
  deposits: {
    make: async () => {
      const its = await buildersOfAnotherTenant(harness.world, deposits)
      const [due] = await its.due({})
      return { tenantId: its.tenantId, id: due?.id ?? '' }
    },
    claim: async () => (await harness.stores.deposits.claimDue(100, 60)).map(({ deposit }) => deposit.id),
  },
  'faucet sends': {
    make: async () => {
      const { id: tenantId } = await harness.newTenant()
      const { id } = await newSend({ ...harness, ...harness.stores }, tenantId, { leaseSeconds: 0 })
      return { tenantId, id }
    },
    claim: async () => (await harness.stores.faucet.claimDue(100, 60)).map(({ send }) => send.id),
  },
  sweeps: {
    make: async () => {
      const plan = await newSweepPlan(harness.world)
      const { id, account, txHash } = firstOf(plan)
      const signed = [{ transferId: id, signature: signatureOf(account, txHash) }]
      expect(await harness.stores.sweeps.sign(plan.batch.id, signed, someOperator)).toEqual([id])
      const [row] = await harness.sql('select tenant_id from quipu.top_up_address where account = $1', [account])
      return { tenantId: String(row?.['tenant_id']), id }
    },
    claim: async () => (await harness.stores.sweeps.claimDue(100, 60)).map(({ transfer }) => transfer.id),
  },
  notices: {
    make: async () => {
      const { id: tenantId } = await harness.newTenant()
      const key = newKey(harness, tenantId)
      expect(await harness.stores.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
      return { tenantId, id: key.id }
    },
    claim: async () => {
      const taken: string[] = []
      for (;;) {
        const claimed = await harness.stores.notices.claim(60)
        if (claimed === undefined) return taken
        taken.push(claimed.source.key?.id ?? '')
        await harness.stores.notices.accept(claimed.claim)
      }
    },
  },
}

const queued = `select from quipu.payout_open where tenant_id = $1
  union all select from quipu.delivery_run where tenant_id = $1 union all select from quipu.delivery_open where tenant_id = $1
  union all select from quipu.deposit where tenant_id = $1 and due_at < 'infinity'
  union all select from quipu.faucet_send where tenant_id = $1 and due_at < 'infinity'
  union all select from quipu.sweep_transfer t join quipu.top_up_address a using (account, chain)
  where a.tenant_id = $1 and t.due_at < 'infinity'`

describe.each(Object.entries(kinds))('due %s', (name, { make, claim }) => {
  test('of a tenant that moves are not claimed, and are when it stays', async () => {
    await claim()
    const [staying, moving] = [await make(), await make()]
    await drain(moving.tenantId)
    await call('freeze_tenants') // Of another move, at the same time.
    expect(await claim()).toEqual([staying.id])
    await call('stop_tenants', [moving.tenantId])
    expect(await claim()).toEqual([])
    await call('stay_tenants', [moving.tenantId])
    expect(await claim()).toEqual([moving.id])
  })

  test('of a tenant that has moved are never claimed', async () => {
    const moved = await make()
    await claim()
    await leave(moved.tenantId)
    expect(await harness.sql(queued, [moved.tenantId])).toEqual([])
    now = new Date(now.getTime() + 7_200_000) // Every lease has ended.
    const staying = await make()
    const claimed = await claim()
    expect(claimed).toContain(staying.id)
    expect(claimed).not.toContain(moved.id)
    if (name === 'payouts') await harness.stores.payouts.hint(moved.id)
    if (name === 'deliveries') await harness.sql('insert into quipu.delivery_signal values ($1)', [[moved.tenantId]])
    expect(await claim()).not.toContain(moved.id)
  })
})

test('no money of a stopped tenant moves, and others in the same batch do not notice', async () => {
  const [moving, staying] = [await harness.newWallet(usdt(100n)), await harness.newWallet(usdt(100n))]
  const open = await harness.newPayout(await harness.newQuote(moving, { source: usdt(1n) }))
  const quotes = await Promise.all(
    [moving, staying, moving, staying].map((tenant) => harness.newQuote(tenant, { source: usdt(1n) })),
  )
  await drain(staying)
  await stop(moving)
  const answers = await Promise.allSettled(
    quotes.map((quote) => harness.stores.payouts.commit(harness.acceptCommit(quote))),
  )
  expect(answers.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))).toEqual([
    expect.any(Unavailable),
    'committed',
    expect.any(Unavailable),
    'committed',
  ])
  const settled = harness.stores.payouts.commit(harness.settleCommit(open, paidAnswer(open)))
  await expect(settled).rejects.toThrow(Unavailable)
  expect(await harness.stores.payouts.renew({ tenantId: moving, payoutId: open.id, fencingToken: 1 }, 60)).toBe(false)
  await harness.expectBalanced(moving)
  await harness.expectBalanced(staying)
  await call('stay_tenants', [moving])
  expect(await harness.stores.payouts.commit(harness.settleCommit(open, paidAnswer(open)))).toBe('committed')
})

test('a caller of a moved tenant is refused as if the store did not answer, and nobody changes what is its', async () => {
  const { id: tenantId } = await harness.newTenant()
  const key = newKey(harness, tenantId)
  await harness.stores.apiKeys.issue(key, credentialOf('ada'))
  const endpoint = await newEndpoint(harness, tenantId)
  await drain(tenantId)
  expect((await harness.stores.apiKeys.findCaller(key.hash))?.tenant.id).toBe(tenantId)
  await call('stop_tenants', [tenantId])
  await expect(harness.stores.apiKeys.findCaller(key.hash)).rejects.toThrow(
    `the tenant ${tenantId} has moved to cell h`,
  )
  const revoking = harness.stores.apiKeys.revoke(key, { ...credentialOf('ada'), at: now })
  await expect(revoking).rejects.toThrow(Unavailable)
  await expect(newEndpoint(harness, tenantId)).rejects.toThrow(Unavailable)
  await expect(harness.sql(`update quipu.webhook_endpoint set url = 'x' where id = $1`, [endpoint])).rejects.toThrow(
    'moved',
  )
  await expect(harness.stores.webhooks.remove(tenantId, endpoint)).rejects.toThrow(Unavailable)
  const rotated = harness.stores.webhooks.rotate(tenantId, endpoint, now, (secrets) => secrets)
  await expect(rotated).rejects.toThrow(Unavailable)
  await expect(newTopUp(harness.world, tenantId)).rejects.toThrow()
  await expect(newSend({ ...harness, ...harness.stores }, tenantId)).rejects.toThrow(Unavailable)
})

test('a stop waits for a change that has begun, so that the copy has it', async () => {
  const { id: tenantId } = await harness.newTenant()
  const key = newKey(harness, tenantId)
  await harness.stores.apiKeys.issue(key, credentialOf('ada'))
  await drain(tenantId)
  const changing = await openTransaction(harness.stores.url)
  await changing.sql('update quipu.api_key set revoked_at = now() where id = $1', [key.id])
  const stopping = call('stop_tenants', [tenantId])
  expect(await doesWait(changing.sql, stopping)).toBe(true)
  await changing.commit()
  await stopping
})

test('the token of an operator who proposed something about a moved tenant is revoked', async () => {
  const { id: tenantId } = await harness.newTenant()
  const proposal = {
    id: harness.ids.next('prp', now),
    tenantId,
    action: { type: 'adjust_wallet', tenantId, direction: 'in', amount: usdt(1n) },
    reason: 'a test',
    evidence: null,
    proposedBy: 'ben',
    createdAt: now,
    expiresAt: new Date(now.getTime() + 72 * 3_600_000),
    status: 'open',
  } as const
  expect(await harness.stores.proposals.insert(proposal, credentialOf('ben'))).toBe('committed')
  await leave(tenantId)
  const [token] = await harness.sql('select proposed_with from quipu.proposal where id = $1', [proposal.id])
  const { operatorTokens } = harness.stores
  expect(await operatorTokens.revoke(String(token?.['proposed_with']), credentialOf('ada'), now)).toBe('committed')
})

test('lists of operators leave out tenants that have moved', async () => {
  const { id: tenantId } = await harness.newTenant()
  const listed = async () => {
    const { tenants, overview } = harness.stores
    const ids = [
      ...(await tenants.list({ limit: 1_000 })).items.map(({ id }) => id),
      ...(await overview.wallets({ limit: 1_000 })).items.map((wallet) => wallet.tenantId),
    ]
    return ids.filter((each) => each === tenantId).length
  }
  expect(await listed()).toBe(2)
  await leave(tenantId)
  expect(await listed()).toBe(0)
})

test('a deposit to a moved address is left to its cell; until it has moved, the scan waits for it', async () => {
  const its = await buildersOfAnotherTenant(harness.world, deposits)
  await stop(its.tenantId)
  expect(await harness.stores.addresses.match('tron', [its.topUp.account])).toHaveLength(1)
  for (const view of ['pending', 'due'] as const) await expect(its[view]({})).rejects.toThrow(Unavailable)
  await call('leave_cell', [its.tenantId])
  expect(await harness.stores.addresses.match('tron', [its.topUp.account])).toEqual([])
  const [due] = await deposits.due({})
  expect((await harness.stores.deposits.claimDue(9, 60)).map(({ deposit }) => deposit.id)).toContain(due?.id)
})

test('a deposit that was claimed before the stop is not credited here', async () => {
  const its = await buildersOfAnotherTenant(harness.world, deposits)
  await harness.stores.deposits.claimDue(100, 60)
  await its.due({})
  const claimed = await its.claimOne()
  await stop(its.tenantId)
  const commit = harness.stores.deposits.commit(settleDepositCommit(harness.world, claimed))
  await expect(commit).rejects.toThrow(Unavailable)
  expect((await harness.stores.wallets.find(its.tenantId))?.available.minor ?? 0n).toBe(0n)
})

test('sweeps of a moving address are neither listed, planned nor signed', async () => {
  const plan = await newSweepPlan(harness.world)
  const { id, account, txHash } = firstOf(plan)
  const [row] = await harness.sql('select tenant_id from quipu.top_up_address where account = $1', [account])
  const listed = async () =>
    (await harness.stores.sweeps.addresses('tron', { limit: 1_000 })).items.some((each) => each.account === account)
  expect(await listed()).toBe(true)
  await drain(String(row?.['tenant_id']))
  expect(await listed()).toBe(false)
  const signed = [{ transferId: id, signature: signatureOf(account, txHash) }]
  expect(await harness.stores.sweeps.sign(plan.batch.id, signed, someOperator)).toEqual([])
})

test('a tenant that is elsewhere cannot move from here, nor two ways', async () => {
  const { id } = await harness.newTenant()
  await expect(call('drain_tenants', ['ten_unknown'], 'h')).rejects.toThrow('a tenant does not exist')
  await drain(id)
  await expect(call('drain_tenants', [id], 'j')).rejects.toThrow('moves to another cell')
  await leave(id)
  await expect(call('stay_tenants', [id])).rejects.toThrow('a tenant has left')
})

test.each(['payouts', 'deliveries', 'deposits'])('%s that a worker has are counted', async (name) => {
  now = new Date()
  const { make, claim } = kinds[name] as Kind
  const [{ tenantId }] = [await make(), await claim()]
  expect(await drain(tenantId)).toEqual([{ drain_tenants: '1' }])
})

test('a copy that becomes a cell begins with its tenants, and with none that moved to a third cell', async () => {
  const [{ id }, { id: elsewhere }] = [await harness.newTenant(), await harness.newTenant()]
  await leave(elsewhere)
  await stop(id)
  await harness.sql('begin')
  await call('enter_cell', [id], 'j')
  const stopped = 'select tenant_id from quipu.wallet where moved_to is not null and tenant_id = any ($1)'
  expect(await harness.sql(stopped, [[id, elsewhere]])).toEqual([{ tenant_id: elsewhere }])
  await harness.sql('rollback')
})
