import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { claimSweepTests } from './claim-sweep.contract.ts'
import { insertSweepTests } from './insert-sweep.contract.ts'
import { listSweepTests } from './list-sweeps.contract.ts'

type Needed = 'sweeps' | 'tenants' | 'addresses' | 'audit' | 'scans' | 'deposits' | 'proposals' | 'wallets'

/** The contract of a `SweepStore`. */
export function sweepStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`sweep store in ${name}`, () => {
    insertSweepTests(open)
    claimSweepTests(open)
    listSweepTests(open)
  })
}
