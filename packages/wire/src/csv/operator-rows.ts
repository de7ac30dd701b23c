import type { z } from 'zod'
import { apiKey } from '../api-key/operator-api-key.ts'
import { auditEntry } from '../audit/audit-log.ts'
import { takenCase } from '../case/case.ts'
import { sessionRecord } from '../console-session/console-session.ts'
import { operatorDeposit } from '../deposit/operator-deposit.ts'
import { difference } from '../difference/difference.ts'
import { operatorEvent } from '../event/operator-event.ts'
import { operatorFaucetSend } from '../faucet/operator-faucet-send.ts'
import { operatorWallet } from '../ledger/operator-wallet.ts'
import { walletTransaction } from '../ledger/wallet-transaction.ts'
import type { ListName } from '../list/cursor.ts'
import { operatorToken } from '../operator-token/operator-token.ts'
import { operatorPayout } from '../payout/operator-payout.ts'
import { proposal } from '../proposal/proposal.ts'
import { reconciliationRun } from '../reconciliation/reconciliation-run.ts'
import { screeningCase } from '../screening/screening.ts'
import { sweepAddress, sweepBatchSummary } from '../sweep/sweep.ts'
import { movement } from '../treasury/treasury.ts'
import { tenant } from '../tenant/tenant.ts'
import { operatorDelivery } from '../webhook/operator-delivery.ts'
import { operatorEndpoint } from '../webhook/operator-endpoint.ts'
import { type CsvTable, csvTable } from './csv.ts'

/** The rows of each list of operators: its CSV has the columns of their members. */
const rows: Readonly<Record<Exclude<ListName, 'statements' | 'deliveries' | 'replays' | 'requests'>, z.ZodType>> = {
  payouts: operatorPayout,
  deposits: operatorDeposit,
  wallet_transactions: walletTransaction,
  events: operatorEvent,
  webhooks: operatorEndpoint,
  all_deliveries: operatorDelivery,
  faucet_sends: operatorFaucetSend,
  wallets: operatorWallet,
  tenants: tenant,
  treasury: movement,
  api_keys: apiKey,
  proposals: proposal,
  differences: difference,
  screening_cases: screeningCase,
  reconciliation_runs: reconciliationRun,
  sweeps: sweepBatchSummary,
  sweep_addresses: sweepAddress,
  operator_tokens: operatorToken,
  sessions: sessionRecord,
  cases: takenCase,
  audit_log: auditEntry,
}

/** The CSV of a list of operators. @throws Error for a list that operators do not have */
export function operatorCsv(list: ListName): CsvTable {
  const row = Object.entries(rows).find(([name]) => name === list)?.[1]
  if (row === undefined) throw new Error(`operators have no list ${list}`)
  return csvTable(row)
}
