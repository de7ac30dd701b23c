import { type AuditPosition, auditStart } from '@quipu/core/operator'
import { checkpointBalances } from '../ledger/checkpoint-balances.ts'
import { ensurePartitions } from '../migration/migrate.ts'
import type { PostgresStores } from '../stores.ts'

export type Maintenance = {
  /** Runs the worker's maintenance. @returns the differences that the ledger check has found */
  maintain(): Promise<readonly string[]>
}

export const maintenance = (
  { ledgerCheck, differences, ping }: Pick<PostgresStores, 'ledgerCheck' | 'differences' | 'ping'>,
  url: string,
): Maintenance => ({
  maintain: async () => {
    await ping()
    await ensurePartitions(url)
    await checkpointBalances(url, { size: 2 })
    // Enough slices to check and recheck every wallet of a test.
    for (let slice = 0; slice < 4; slice++)
      await ledgerCheck.wallets({ wallets: 100, postings: 1_000, everySeconds: 0 })
    for (let last: AuditPosition | null = auditStart; last !== null;)
      last = await ledgerCheck.auditLog(last, 100)
    const found = await differences.listChanged(0n, 1_000)
    return found.map(({ subject, detail }) => `${subject}: ${detail}`)
  },
})
