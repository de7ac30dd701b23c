import { expect, test } from 'vitest'
import { measuredStores, type MeasuredStores } from './measured-stores.ts'
import { prometheusMetrics } from './metrics.ts'

const payout = (status: string, code?: string) => ({
  status,
  createdAt: new Date(0),
  endedAt: new Date(40),
  ...(code !== undefined && { error: { code } }),
})

const answers = { payout: 'committed' as unknown, deposit: 'committed' as unknown, send: 'stale' }
const stores = {
  payouts: { commit: async () => answers.payout },
  payoutDecisions: { settle: async () => 'committed' },
  deposits: { commit: async () => answers.deposit },
  faucet: { settle: async () => answers.send },
  sweeps: { settle: async () => 'committed' },
} as unknown as MeasuredStores

const alerts: string[] = []

/** The counters that are above 0. */
async function counted(work: (measured: MeasuredStores) => Promise<unknown>): Promise<string[]> {
  const metrics = prometheusMetrics()
  await work(measuredStores(metrics, stores, (alert) => void alerts.push(alert.code)))
  const lines = (await metrics.text()).match(/^quipu_(?:\w+_total|payout_duration_seconds_count)\{.*\} [1-9].*$/gm)
  return lines ?? []
}

test('a payout counts once it has ended, by outcome and code', async () => {
  const commit = (kind: string, of: object) => (measured: MeasuredStores) =>
    measured.payouts.commit({ kind, step: { payout: of } } as never)
  expect(await counted(commit('settle', payout('completed')))).toEqual([
    'quipu_payouts_total{outcome="completed",code="none"} 1',
    'quipu_payout_duration_seconds_count{outcome="completed"} 1',
  ])
  const refused = commit('insert_ended', payout('cancelled', 'QUOTE_EXPIRED'))
  expect((await counted(refused))[0]).toBe('quipu_payouts_total{outcome="cancelled",code="QUOTE_EXPIRED"} 1')
  expect(await counted(commit('accept', payout('processing')))).toEqual([])
  answers.payout = 'stale'
  expect(await counted(commit('settle', payout('completed')))).toEqual([])
  answers.payout = { redatedTo: new Date(1) }
  expect(await counted(commit('settle', payout('completed')))).toHaveLength(2)
})

test('a network that refuses payouts is alerted, and tenants’ expired quotes are not', async () => {
  answers.payout = 'committed'
  const commit = (code: string) => (measured: MeasuredStores) =>
    Promise.all(
      Array.from({ length: 20 }, () =>
        measured.payouts.commit({ kind: 'settle', step: { payout: payout('failed', code) } } as never),
      ),
    )
  await counted(commit('QUOTE_EXPIRED'))
  expect(alerts).toEqual([])
  await counted(commit('PAYMENT_FAILED'))
  expect(alerts).toEqual(['PAYOUTS_FAIL'])
})

test('a settlement by two people counts as any other', async () => {
  const settle = (measured: MeasuredStores) =>
    measured.payoutDecisions.settle({ step: { payout: payout('failed', 'PAYMENT_FAILED') } } as never)
  expect((await counted(settle))[0]).toBe('quipu_payouts_total{outcome="failed",code="PAYMENT_FAILED"} 1')
})

test('deposits, faucet sends and sweeps count when their end was written', async () => {
  const work = async (measured: MeasuredStores): Promise<void> => {
    const step = { deposit: { status: 'in_review' } }
    await measured.deposits.commit({ kind: 'settle', step } as never)
    await measured.deposits.commit({ kind: 'close', step } as never)
    answers.deposit = 'stale'
    await measured.deposits.commit({ kind: 'settle', step } as never)
    await measured.faucet.settle({} as never, 'confirmed')
    answers.send = 'committed'
    await measured.faucet.settle({} as never, 'failed')
    await measured.sweeps.settle({} as never, 'solid', new Date(0))
  }
  expect(await counted(work)).toEqual([
    'quipu_deposits_total{outcome="in_review"} 1',
    'quipu_deposits_total{outcome="closed"} 1',
    'quipu_faucet_sends_total{outcome="failed"} 1',
    'quipu_sweeps_total{outcome="solid"} 1',
  ])
})
