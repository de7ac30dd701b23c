import {
  manageApiKeys,
  type ManageApiKeys,
  manageTenants,
  type ManageTenants,
  apiKeyScopes,
  usdt,
} from '@quipu/core'
import { paidAnswer } from '@quipu/contracts'
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type Bench, openBench } from '../test/stores.fixture.ts'

/** A database with an operator, tenants that pay, and the check of its ledger. */
export type LedgerBench = Bench & {
  readonly operator: ManageTenants
  readonly keys: ManageApiKeys
  /** A tenant as an operator makes one, of the pricing that the bench's quotes are of. */
  onboard(): Promise<string>
  adjust(tenantId: string, minor: bigint): Promise<string>
  issueKey(tenantId: string): Promise<string>
  pay(tenantId: string, isPaid: boolean): Promise<void>
  /** Checks everything once: so many slices that each wallet has had its turn, and the whole audit log. */
  checkAll(): Promise<void>
  /** Each difference on the list, its subject first. */
  found(): Promise<readonly string[]>
  /** Changes rows past every trigger, as a superuser can. */
  forge(text: string): Promise<void>
}

const now = () => new Date()

export async function openLedgerBench(): Promise<LedgerBench> {
  const bench = await openBench()
  const { stores, ids, sql } = bench
  const operator = manageTenants({ tenants: stores.tenants, ids, now })
  const keys = manageApiKeys({ ...stores, ids, random: randomBytes, now }, 'test')
  return {
    ...bench,
    operator,
    keys,
    onboard: async () => {
      const technicalContact = { name: 'Rosa', email: 'rosa@pagos.example' }
      const input = { legalName: 'Pagos', technicalContact, pricing: { marginBps: 150 } }
      return (await operator.create('ana', input)).id
    },
    adjust: (tenantId, minor) =>
      stores.wallets.adjust({
        ...{ id: ids.uuid(now()), tenantId, direction: 'in', amount: usdt(minor) },
        ...{ reason: 'funds', actor: 'ana' },
      }),
    issueKey: async (tenantId) => {
      const made = await keys.issue('ana', tenantId, {
        name: 'k',
        scopes: apiKeyScopes,
        expiresAt: null,
      })
      if (made === undefined || made === 'already_expired') throw new Error('it never expires')
      return made.record.id
    },
    pay: async (tenantId, isPaid) => {
      const payout = await bench.newPayout(await bench.newQuote(tenantId))
      const answer = isPaid ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
      const write = bench.settleCommit(payout, answer, { at: now() })
      expect(await stores.payouts.commit(write)).not.toBe('stale')
    },
    checkAll: async () => {
      const { ledgerCheck } = stores
      for (let n = 0; n < 5; n++)
        await ledgerCheck.wallets({ wallets: 10, postings: 100, everySeconds: 0 })
      for (let last: bigint | null = 0n; last !== null;) last = await ledgerCheck.auditLog(last, 3)
    },
    found: async () =>
      (await stores.ledgerCheck.differences(0n)).map(
        ({ subject, detail }) => `${subject}: ${detail}`,
      ),
    forge: async (text) => {
      await sql(`set session_replication_role = replica; ${text};
        set session_replication_role = origin`)
    },
  }
}

/** An entry at the end of the log, with the wallet to match: 5 micro-USDT, of nothing. */
export const forgedEntry = (type: string, event: string): string => `
  insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount, available_after,
    held_after, type, subject_id, event_id, body)
  select tenant_id, seq + 1, logged_at, logged_at, 5, available + 5, held, '${type}', 'forged', ${event}
  from quipu.wallet;
  update quipu.wallet set available = available + 5, seq = seq + 1`
