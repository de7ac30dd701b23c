import type { Payout, PayoutErrorCode, RaiseAlert, Stores } from '@quipu/core'
import type { Metrics } from './metrics.ts'
import { unpaidAlert } from './unpaid-alert.ts'

type EndedPayout = Exclude<Payout, { readonly status: 'processing' }>

/** The stores whose writes are counted. */
export type MeasuredStores = Pick<Stores, 'payouts' | 'payoutDecisions' | 'deposits' | 'faucet' | 'sweeps'>

/**
 * Counts, by outcome, what the stores of this process bring to its final state, and alerts when the network refuses the
 * payouts.
 */
export function measuredStores<All extends MeasuredStores>(metrics: Metrics, stores: All, raiseAlert: RaiseAlert): All {
  const countPayout = payoutMetrics(metrics)
  const noteEnd = unpaidAlert(raiseAlert)
  const recordPayout = (payout: EndedPayout): void => {
    countPayout(payout)
    noteEnd('error' in payout ? payout.error.code : null)
  }
  const { payouts, payoutDecisions } = stores
  const measured: MeasuredStores = {
    payouts: extended(payouts, {
      commit: async (write) => {
        const committed = await payouts.commit(write)
        if (write.kind !== 'accept' && isWritten(committed)) recordPayout(write.step.payout)
        return committed
      },
    }),
    payoutDecisions: extended(payoutDecisions, {
      settle: async (settlement) => {
        const settled = await payoutDecisions.settle(settlement)
        if (settled === 'committed') recordPayout(settlement.step.payout)
        return settled
      },
    }),
    ...fundingStores(metrics, stores),
  }
  return { ...stores, ...measured }
}

/** Inherits every other method of the store, also one that is replaced later. */
const extended = <Store extends object>(store: Store, methods: Partial<Store>): Store =>
  Object.assign(Object.create(store) as Store, methods)

/** A write that was redated is answered by an object. */
const isWritten = (result: string | object): boolean => result === 'committed' || typeof result === 'object'

/** Seconds from the request of a payout to its end. Most end within their request, the others within a day. */
const payoutBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60, 300, 900, 3_600, 86_400]

/** Every code, so that a new one is counted from 0 on. */
const outcomes: Readonly<Record<PayoutErrorCode, EndedPayout['status']>> = {
  AMOUNT_EXCEEDS_PROVIDER_LIMIT: 'cancelled',
  DAILY_LIMIT_EXCEEDED: 'cancelled',
  INSUFFICIENT_BALANCE: 'cancelled',
  INSUFFICIENT_FUNDS: 'cancelled',
  PAYMENT_CANCELLED: 'cancelled',
  PAYMENT_FAILED: 'failed',
  QR_REFUSED: 'rejected',
  QUOTE_ALREADY_USED: 'cancelled',
  QUOTE_AMOUNT_MISMATCH: 'cancelled',
  QUOTE_EXPIRED: 'cancelled',
  QUOTE_RESOLUTION_MISMATCH: 'cancelled',
}

function payoutMetrics(metrics: Metrics): (payout: EndedPayout) => void {
  const known = Object.entries(outcomes).map(([code, outcome]) => ({ outcome, code }))
  const count = metrics.counter({
    name: 'quipu_payouts_total',
    help: 'Payouts that this process has ended, by outcome and error code.',
    labels: ['outcome', 'code'],
    known: [{ outcome: 'completed', code: 'none' }, ...known],
  })
  const recordDuration = metrics.histogram({
    name: 'quipu_payout_duration_seconds',
    help: 'From the request of a payout to its end, by outcome.',
    labels: ['outcome'],
    buckets: payoutBuckets,
    known: ['completed', 'failed', 'rejected', 'cancelled'].map((outcome) => ({ outcome })),
  })
  return (payout) => {
    const { status: outcome, createdAt, endedAt } = payout
    count({ outcome, code: 'error' in payout ? payout.error.code : 'none' })
    recordDuration({ outcome }, Math.max(0, (endedAt.getTime() - createdAt.getTime()) / 1000))
  }
}

/** Deposits, faucet sends and sweeps. */
function fundingStores(
  metrics: Metrics,
  { deposits, faucet, sweeps }: MeasuredStores,
): Pick<MeasuredStores, 'deposits' | 'faucet' | 'sweeps'> {
  const counter = (name: string, help: string, outcomesOf: readonly string[]) => {
    const known = outcomesOf.map((outcome) => ({ outcome }))
    const count = metrics.counter({ name, help, labels: ['outcome'], known })
    return (outcome: string): void => count({ outcome })
  }
  const countDeposit = counter(
    'quipu_deposits_total',
    'Deposits that this process has decided, by outcome; those that an operator closed are `closed`.',
    ['credited', 'in_review', 'closed'],
  )
  const countSend = counter('quipu_faucet_sends_total', 'Faucet sends that this process has settled, by outcome.', [
    'confirmed',
    'failed',
  ])
  const countSweep = counter('quipu_sweeps_total', 'Sweeps that this process has ended, by outcome.', [
    'solid',
    'failed',
    'expired',
  ])
  return {
    deposits: extended(deposits, {
      commit: async (write) => {
        const committed = await deposits.commit(write)
        if (isWritten(committed)) countDeposit(write.kind === 'close' ? 'closed' : write.step.deposit.status)
        return committed
      },
    }),
    faucet: extended(faucet, {
      settle: async (claim, status) => {
        const settled = await faucet.settle(claim, status)
        if (settled === 'committed') countSend(status)
        return settled
      },
    }),
    sweeps: extended(sweeps, {
      settle: async (claim, status, at) => {
        const settled = await sweeps.settle(claim, status, at)
        if (settled === 'committed') countSweep(status)
        return settled
      },
    }),
  }
}
