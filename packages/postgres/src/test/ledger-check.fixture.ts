import { apiKeyScopes, usdt } from '@quipu/core'
import {
  type AuditPosition,
  auditStart,
  manageApiKeys,
  type ManageApiKeys,
  manageTenants,
  type ManageTenants,
} from '@quipu/core/operator'
import { adjustWallet, operatorNamed, paidAnswer } from '@quipu/contracts'
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type StoreHarness, openStoreHarness } from './stores.fixture.ts'

/** Only open differences have changed since then. */
export const farOff: Date = new Date('2999-01-01T00:00:00.000Z')

/** A database with an operator, paying tenants, and the ledger check. */
export type LedgerHarness = StoreHarness & {
  readonly operator: ManageTenants
  readonly keys: ManageApiKeys
  /** Creates a tenant as an operator does, with the pricing of the builders' quotes. */
  onboard(): Promise<string>
  adjust(tenantId: string, minor: bigint): Promise<string>
  issueKey(tenantId: string): Promise<string>
  /** Does nothing while the tenant is suspended. */
  pay(tenantId: string, isPaid: boolean): Promise<void>
  /** Checks every wallet and the whole audit log, in as many slices as that takes. */
  checkAll(): Promise<void>
  /** The open differences, each as "subject: detail". */
  found(): Promise<readonly string[]>
  /** Changes rows with triggers off, as a superuser can. */
  forge(text: string): Promise<void>
}

const now = () => new Date()

export async function openLedgerHarness(): Promise<LedgerHarness> {
  const harness = await openStoreHarness()
  const { stores, ids, sql } = harness
  const operator = manageTenants({ ...stores, ids, now })
  const keys = manageApiKeys({ ...stores, ids, random: randomBytes, now }, 'test')
  return {
    ...harness,
    operator,
    keys,
    onboard: async () => {
      const technicalContact = { name: 'Rosa', email: 'rosa@pagos.example' }
      const input = { legalName: 'Pagos', technicalContact, pricing: { marginBps: 150 } }
      return (await operator.create(operatorNamed('ana'), input)).id
    },
    adjust: (tenantId, minor) =>
      adjustWallet(stores, {
        id: ids.uuid(now()),
        tenantId,
        direction: 'in',
        amount: usdt(minor),
        reason: 'funds',
        actor: 'ana',
      }),
    issueKey: async (tenantId) => {
      const made = await keys.issue(operatorNamed('ada'), tenantId, {
        name: 'k',
        scopes: apiKeyScopes,
        expiresAt: null,
      })
      if (made.type === 'refused') throw new Error(made.code)
      return made.record.id
    },
    pay: async (tenantId, isPaid) => {
      const quote = await harness.newQuote(tenantId).catch(() => null)
      const accept = quote && harness.acceptCommit(quote)
      // A tenant that a test suspends neither quotes nor pays.
      if (!accept || (await stores.payouts.commit(accept)) === 'not_allowed') return
      const { payout } = accept.step
      const answer = isPaid ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
      const write = harness.settleCommit(payout, answer, { at: now() })
      expect(await stores.payouts.commit(write)).not.toBe('stale')
    },
    checkAll: async () => {
      const { ledgerCheck } = stores
      for (let n = 0; n < 5; n++) await ledgerCheck.wallets({ wallets: 10, postings: 100, everySeconds: 0 })
      for (let last: AuditPosition | null = auditStart; last !== null;) last = await ledgerCheck.auditLog(last, 3)
    },
    found: async () =>
      (await stores.differences.listChanged(0n, farOff, 1_000)).map(({ subject, detail }) => `${subject}: ${detail}`),
    forge: async (text) => {
      await sql(`set session_replication_role = replica; ${text};
        set session_replication_role = origin`)
    },
  }
}

/** Adds an entry of 5 micro-USDT without a source to the end of the log, and the same amount to the wallet. */
export const forgedEntry = (type: string, event: string): string => `
  insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
    held_after, type, subject_id, event_id, body)
  select tenant_id, seq + 1, logged_at, logged_at, 5, available + 5, held, '${type}', 'forged', ${event}
  from quipu.wallet;
  update quipu.wallet set available = available + 5, seq = seq + 1`
