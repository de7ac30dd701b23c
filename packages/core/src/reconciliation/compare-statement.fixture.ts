import { cellIds } from '../ids.ts'
import { bob } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import type { PayoutStatus } from '../payout/payout.ts'
import { type ComparedStatement, compareStatement } from './compare-statement.ts'
import type { PaymentRecord } from './ports.ts'
import { ids, notedDifferences, recordedDifferences } from './reconciliation.fixture.ts'
import type { ReconciledPeriod } from './run.ts'

const start = new Date('2026-11-20T10:00:00.000Z')
/** This many minutes after the start of `slice`. */
export const minute = (n: number): Date => new Date(start.getTime() + n * 60_000)
export const slice: ReconciledPeriod = { from: minute(0), to: minute(30) }

type Options = { readonly status?: PayoutStatus; readonly created?: number; readonly target?: bigint }

/** A payout of BOB 100.00 that ended in this minute. */
export const payment = (payoutId: string, ended: number, options: Options = {}): PaymentRecord => ({
  payoutId,
  tenantId: 'ten_1',
  status: options.status ?? 'completed',
  target: bob(options.target ?? 10000n),
  createdAt: minute(options.created ?? ended - 0.1),
  endedAt: minute(ended),
  networkPaymentId: `np-${payoutId}`,
  settledPaid: null,
  isRefunded: false,
  isElsewhere: false,
})

/** A line of the statement about a payment in this minute. */
export const line = (reference: string, paid: number, over: Partial<StatementRow> = {}): StatementRow => ({
  type: 'payment',
  reference,
  networkRef: '1',
  paymentId: `np-${reference}`,
  amount: bob(10000n),
  paidAt: minute(paid),
  ...over,
})

export type StatementHarness = {
  readonly compare: (period: ReconciledPeriod) => Promise<ComparedStatement>
  readonly differences: ReturnType<typeof notedDifferences>
  readonly found: () => readonly string[]
  /** The periods of the statement that were read, and the references of the lines that came. */
  readonly reads: readonly ReconciledPeriod[]
  readonly read: readonly string[]
  /** How many payments each query was for. */
  readonly queries: readonly number[]
  readonly lines: StatementRow[]
  readonly payments: PaymentRecord[]
}

/** A network with these lines and a store with these payments, which has the completed ones on one page. */
export function statementHarness(lines: StatementRow[], payments: PaymentRecord[], cell?: string): StatementHarness {
  const differences = notedDifferences(recordedDifferences())
  const reads: ReconciledPeriod[] = []
  const read: string[] = []
  const queries: number[] = []
  let seconds = 0
  const ports = {
    differences,
    ids: cellIds(cell, ids),
    now: () => new Date(start.getTime() + 86_400_000 + 1_000 * seconds++),
    network: {
      async *statement(from: Date, to: Date) {
        reads.push({ from, to })
        for (const each of lines.toSorted((a, b) => a.paidAt.getTime() - b.paidAt.getTime()))
          if (each.paidAt >= from && each.paidAt <= to) {
            read.push(each.reference)
            yield each
          }
      },
    },
    reconciliations: {
      findPayments: async (references: readonly string[]) => {
        queries.push(references.length)
        return payments.filter(({ payoutId }) => references.includes(payoutId))
      },
      async *completedPayments({ from, to }: ReconciledPeriod) {
        yield payments.filter(
          ({ status, endedAt }) => status === 'completed' && endedAt && endedAt >= from && endedAt < to,
        )
      },
    },
  }
  const found = () => differences.all().map(({ kind, subject }) => `${kind} ${subject}`)
  const compare = compareStatement(ports)
  return { compare, differences, found, reads, read, queries, lines, payments }
}
