import { type ApiKeyScope, bob, usdt } from '@quipu/core'
import { manageApiKeys, manageTenants } from '@quipu/core/operator'
import {
  addressDifference,
  adjustWallet,
  type Builders,
  buildersOfAnotherTenant,
  closeReviewCommit,
  creditDepositCommit,
  type DepositBuilders,
  depositBuilders,
  operatorNamed,
  paidAnswer,
} from '@quipu/contracts'
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { PostgresStores } from '../stores.ts'
import type { Sql } from './stores.fixture.ts'

/** The input of a step of the books. */
type Writer = {
  readonly harness: Builders & { readonly stores: PostgresStores; readonly sql: Sql }
  readonly now: () => Date
  /** Gives the record a label, and moves the clock by a second. */
  readonly name: (label: string, id: string) => string
}

type Tenant = { readonly tenantId: string; readonly label: string }

/**
 * Writes the books of `A` and `B`: each has an entry of every kind, and every record of the audit log. `C` has a wallet
 * only.
 */
export async function writeBooks(w: Writer): Promise<void> {
  const tenants = [await openTenant(w, 'A', 150), await openTenant(w, 'B', 200)] as const
  await openTenant(w, 'C', 150)
  for (const tenant of tenants) {
    await adjust(w, tenant, ['funds', 'in', 5_000_000_000n])
    await pay(w, tenant)
    await changeTenant(w, tenant)
    await openPayouts(w, tenant)
    await issueKeys(w, tenant)
  }
  await receive(w, tenants)
  for (const tenant of tenants) {
    // They have the same amount, and the same instant: that of the deposits.
    await adjust(w, tenant, ['late charge', 'out', 2_000_000n])
    await adjust(w, tenant, ['later charge', 'out', 2_000_000n])
    await closeDifference(w, tenant)
  }
}

async function openTenant(w: Writer, label: string, marginBps: number): Promise<Tenant> {
  const { id: tenantId } = await tenantsOf(w).create(operatorNamed('ana'), {
    legalName: label,
    technicalContact: { name: 'Rosa', email: 'rosa@pagos.example' },
    pricing: { marginBps, feeBps: 25, feeFixed: usdt(70_000n) },
    dailyLimits: { count: 100 + marginBps },
  })
  w.name(label, tenantId)
  const wallet = await w.harness.sql('select id from quipu.wallet where tenant_id = $1', [tenantId])
  w.name(`wallet of ${label}`, String(wallet[0]?.['id']))
  return { tenantId, label }
}

const tenantsOf = ({ harness: { stores, ids }, now }: Writer) =>
  manageTenants({ ...stores, ids, now }, { unapprovedLimits: null, approvableSeconds: 60 })

type Amount = readonly [name: string, direction: 'in' | 'out', minor: bigint]

async function adjust(w: Writer, tenant: Tenant, [name, direction, minor]: Amount): Promise<void> {
  const { tenantId, label } = tenant
  const id = w.harness.ids.uuid(w.now())
  const adjustment = { id, tenantId, direction, amount: usdt(minor), reason: 'r', actor: 'ana' }
  expect(await adjustWallet(w.harness.stores, adjustment)).toBe('committed')
  w.name(`${name} of ${label}`, id)
}

/** A paid payout, a failed one, and one of each that was not accepted. */
async function pay({ harness, now, name }: Writer, { tenantId, label }: Tenant): Promise<void> {
  const { newQuote, newPayout, settleCommit, insertEndedCommit, stores } = harness
  for (const status of ['paid', 'failed'] as const) {
    const quote = await newQuote(tenantId, { target: bob(1_000_000n) })
    name(`quote of ${status} of ${label}`, quote.id)
    const payout = await newPayout(quote)
    const answer = status === 'paid' ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
    expect(await stores.payouts.commit(settleCommit(payout, answer, { at: now() }))).toBe('committed')
    name(`${status} of ${label}`, payout.id)
  }
  for (const code of ['INSUFFICIENT_BALANCE', 'QR_REFUSED'] as const) {
    const write = insertEndedCommit(await newQuote(tenantId), { code, at: now() })
    expect(await stores.payouts.commit(write)).toBe('committed')
    name(`${code} of ${label}`, write.step.payout.id)
  }
}

/** Changes the pricing, and suspends the tenant twice, which has the same state in the audit log. */
async function changeTenant(w: Writer, { tenantId }: Tenant): Promise<void> {
  const tenants = tenantsOf(w)
  const pricing = { feeBps: 30 }
  const changed = await tenants.change(operatorNamed('ada'), tenantId, { pricing })
  expect(changed.type).toBe('tenant')
  for (const step of ['suspend', 'resume', 'suspend', 'resume'] as const) {
    w.name('', '')
    await tenants[step](operatorNamed('ana'), tenantId, { cause: 'unpaid', reason: 'October', evidence: null })
  }
  w.name('', '')
}

async function openPayouts({ harness, name }: Writer, { tenantId, label }: Tenant): Promise<void> {
  for (const n of [1, 2]) {
    const quote = await harness.newQuote(tenantId, { target: bob(10_000n * BigInt(n)) })
    name(`quote of open ${n} of ${label}`, quote.id)
    name(`open ${n} of ${label}`, (await harness.newPayout(quote)).id)
  }
}

async function issueKeys(w: Writer, { tenantId, label }: Tenant): Promise<void> {
  const { stores, ids } = w.harness
  const keys = manageApiKeys({ ...stores, ids, random: randomBytes, now: w.now }, 'test')
  const scopes: readonly ApiKeyScope[] = ['payouts:read']
  for (const name of ['key', 'revoked key']) {
    const input = { name: 'k', scopes, expiresAt: null }
    const made = await keys.issue(operatorNamed('ada'), tenantId, input)
    if (made.type !== 'issued') throw new Error(made.type)
    w.name(`${name} of ${label}`, made.record.id)
    if (name === 'revoked key') await keys.revoke(operatorNamed('ana'), made.record.id)
    w.name('', '')
  }
}

/** Deposits: a credit, a review that was credited, one that was closed, and one that is pending. */
async function receive(w: Writer, tenants: readonly [Tenant, Tenant]): Promise<void> {
  const builders: DepositBuilders[] = []
  for (const { tenantId } of tenants) {
    const newTenant = async () => {
      const tenant = await w.harness.stores.tenants.find(tenantId)
      if (!tenant) throw new Error(`no tenant ${tenantId}`)
      return tenant
    }
    const world = { ...w.harness, ...w.harness.stores, advance: async () => {}, newTenant }
    const [first] = builders
    builders.push(first ? await buildersOfAnotherTenant(world, first) : await depositBuilders(world))
  }
  for (const [place, { tenantId, label }] of tenants.entries()) {
    const deposits = builders[place]
    if (!deposits) throw new Error('two tenants')
    await settleDeposits(w, deposits, label)
    const author = { ...operatorNamed('ana'), at: w.now() }
    await w.harness.stores.addresses.retire(tenantId, 'tron', author)
    w.name('', '')
  }
}

async function settleDeposits(w: Writer, deposits: DepositBuilders, label: string): Promise<void> {
  const { stores, ids } = w.harness
  w.name(`credited of ${label}`, (await deposits.credited()).id)
  for (const kind of ['credited review', 'second credited review']) {
    const review = await deposits.inReview()
    w.name(`${kind} of ${label}`, review.id)
    const credit = await creditDepositCommit({ ...stores, ids }, review)
    expect(await stores.deposits.commit(credit)).toBe('committed')
  }
  const closed = await deposits.inReview()
  w.name(`closed review of ${label}`, closed.id)
  const close = await closeReviewCommit({ ...stores, ids }, closed)
  expect(await stores.deposits.commit(close)).toBe('committed')
  const [pending] = await deposits.pending({})
  w.name(`pending of ${label}`, String(pending?.id))
}

async function closeDifference(w: Writer, { tenantId, label }: Tenant): Promise<void> {
  const { ids, stores } = w.harness
  const found = await addressDifference({ ids, ...stores }, tenantId)
  await stores.differences.record([found], w.now())
  const closure = { by: 'ana', at: w.now(), reason: 'known', proposalId: null }
  expect(await stores.differences.close(found.id, closure, operatorNamed('ana'))).toBe('committed')
  w.name(`difference of ${label}`, found.id)
}
