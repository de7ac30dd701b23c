import { describe, expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { bob, usdt } from '../money.ts'
import { type Operator, Unauthorized } from '../access/operator.ts'
import { noDailyUse } from '../limit/daily-limits.ts'
import { manageTenants, type ManageTenantsPorts, type ManageTenantsSettings } from './manage-tenants.ts'
import type { TenantRecord } from './ports.ts'
import { tenant } from './tenant.fixture.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

const now = new Date('2026-11-22T08:00:00.000Z')
const ada: Operator = { person: 'ada', role: 'admin', tokenHash: 'hash of ada' }
const note = { reason: 'a big customer', evidence: { note: 'mail', digest: 'ab'.repeat(32) } }
const refused = (code: string) => ({ type: 'refused', code })

const before: TenantRecord = {
  ...tenant,
  pricing: { marginBps: 150, feeBps: 10, feeFixed: usdt(5n), paymentCap: bob(7_000_00n) },
  dailyLimits: { amount: usdt(5_000_000n), count: 20 },
  usedToday: { amount: usdt(3n), count: 1 },
}

type Update = Awaited<ReturnType<ManageTenantsPorts['tenants']['update']>>
type Inserted = Awaited<ReturnType<ManageTenantsPorts['proposals']['insert']>>

/** Tenants over a store with one tenant, which answers its updates in this order and each loser a later revision. */
function harness(
  updates: readonly Update[] = ['committed'],
  inserted: Inserted = 'committed',
  settings?: ManageTenantsSettings,
) {
  const written: unknown[] = []
  const answers = [...updates]
  const lost = () => updates.length - answers.length
  const tenants: ManageTenantsPorts['tenants'] = {
    create: async (...args) => {
      written.push(args)
      return { fingerprint: 'v1:a', subject: 'ten_1' }
    },
    find: async (id) => (id === 'ten_1' ? { ...before, revision: before.revision + lost() } : undefined),
    list: () => expect.fail('it is not listed'),
    eraseContact: () => expect.fail('no contact is erased'),
    update: async (...args) => {
      written.push(args)
      return answers.shift() ?? expect.fail('it was committed')
    },
  }
  const proposals: ManageTenantsPorts['proposals'] = {
    insert: async (...args) => {
      written.push(args)
      return inserted
    },
  }
  return { tenants: manageTenants({ tenants, proposals, ids: countingIds(), now: () => now }, settings), written }
}

describe('creating', () => {
  const input = { legalName: 'Tienda', technicalContact: tenant.technicalContact }

  test('a tenant is new, active and without limits, unless they are given', async () => {
    const { tenants, written } = harness()
    const dailyLimits = { count: 3 }
    const created = await tenants.create(operatorNamed('ana'), { ...input, pricing: { feeBps: 7 }, dailyLimits })
    expect(created).toEqual({
      id: expect.stringMatching(/^ten_.{26}$/),
      ...input,
      status: 'active',
      createdAt: now,
      revision: 1,
      usedToday: noDailyUse,
      pricing: { marginBps: 150, feeBps: 7, feeFixed: usdt(0n), paymentCap: bob(5000000n) },
      dailyLimits: { amount: null, count: 3 },
    })
    const { usedToday: _, ...stored } = created
    expect(written).toEqual([[stored, expect.stringMatching(/^wal_.{26}$/), operatorNamed('ana')]])
  })

  test('a repeated request answers the tenant as it stands, another one with its key none', async () => {
    const { tenants, written } = harness()
    const create = (fingerprint: string) => tenants.createOnce(operatorNamed('ana'), input, { key: 'k1', fingerprint })
    expect(await create('v1:a')).toEqual({ type: 'tenant', tenant: before, replayed: true })
    expect(await create('v1:b')).toEqual(refused('key_reused'))
    expect(written).toMatchObject([
      [{ legalName: 'Tienda' }, expect.stringMatching(/^wal_/), operatorNamed('ana'), { fingerprint: 'v1:a' }],
      [{ legalName: 'Tienda' }, expect.stringMatching(/^wal_/), operatorNamed('ana'), { fingerprint: 'v1:b' }],
    ])
  })
})

describe('changing', () => {
  test('keeps what is not named, and starts again from a later revision', async () => {
    const alone = { unapprovedLimits: null, lifeSeconds: 60 }
    const { tenants, written } = harness(['stale', 'committed'], 'committed', alone)
    const after = {
      ...before,
      legalName: 'Tienda S.A.',
      revision: 3,
      pricing: { ...before.pricing, marginBps: 1 },
      dailyLimits: { amount: usdt(5000000n), count: 2 },
    }
    const change = { legalName: 'Tienda S.A.', pricing: { marginBps: 1 }, dailyLimits: { count: 2 } }
    expect(await tenants.change(ada, 'ten_1', change)).toEqual({ type: 'tenant', tenant: after })
    const author = { ...ada, at: now }
    expect(written).toEqual([
      [{ ...after, revision: 2 }, 'tenant.update', author, undefined],
      [after, 'tenant.update', author, undefined],
    ])
  })

  test('is refused for an unknown tenant, and when the store knows no such active token', async () => {
    const { tenants } = harness(['unauthorized'])
    expect(await tenants.change(ada, 'ten_2', {})).toEqual(refused('not_found'))
    await expect(tenants.change(ada, 'ten_1', {})).rejects.toThrow(Unauthorized)
  })

  test('higher limits are proposed for three days, and only those that are named', async () => {
    const { tenants, written } = harness()
    const answer = await tenants.change(ada, 'ten_1', { dailyLimits: { count: 21 } }, note)
    const proposal = {
      id: expect.stringMatching(/^prp_.{26}$/),
      tenantId: 'ten_1',
      proposedBy: 'ada',
      createdAt: now,
      status: 'open',
      ...note,
      action: { type: 'change_limits', tenantId: 'ten_1', limits: { count: 21 } },
      expiresAt: new Date('2026-11-25T08:00:00.000Z'),
    }
    expect(answer).toEqual({ type: 'proposal', proposal })
    expect(written).toEqual([[proposal, ada]])
    const pricing = { paymentCap: bob(50_000_01n) }
    expect(await tenants.change(ada, 'ten_1', { pricing }, note)).toMatchObject({
      proposal: { action: { limits: pricing } },
    })
  })

  test('higher limits are refused when the store knows no such active token', async () => {
    const { tenants } = harness([], 'unauthorized')
    const change = { dailyLimits: { count: null } }
    await expect(tenants.change(ada, 'ten_1', change, note)).rejects.toThrow(Unauthorized)
  })
})

test('to suspend or resume a tenant starts again from a later revision', async () => {
  const request = { cause: 'unpaid', reason: 'October', evidence: null } as const
  const author = { ...operatorNamed('ana'), at: now }
  const suspending = harness(['stale', 'committed'])
  expect(await suspending.tenants.suspend(operatorNamed('ana'), 'ten_2', request)).toBeUndefined()
  expect(suspending.written).toEqual([])
  const suspended = { ...before, status: 'suspended', suspension: { ...request, at: now }, revision: 3 }
  expect(await suspending.tenants.suspend(operatorNamed('ana'), 'ten_1', request)).toEqual(suspended)
  expect(suspending.written).toEqual([
    [{ ...suspended, revision: 2 }, 'tenant.suspend', author],
    [suspended, 'tenant.suspend', author],
  ])
  const resuming = harness(['stale', 'committed'])
  expect(await resuming.tenants.resume(operatorNamed('ana'), 'ten_2', note)).toEqual(refused('not_found'))
  const resumed = { ...before, revision: 3 }
  expect(await resuming.tenants.resume(operatorNamed('ana'), 'ten_1', note)).toEqual({
    type: 'tenant',
    tenant: resumed,
  })
  expect(resuming.written).toEqual([
    [{ ...resumed, revision: 2 }, 'tenant.resume', author, note],
    [resumed, 'tenant.resume', author, note],
  ])
})
