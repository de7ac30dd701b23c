import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { isBalanced, type ProcessingPayout, type SettledPayout } from '@quipu/core/adapter'
import { type AcceptCommit, paidAnswer, type SettleCommit } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants'

/**
 * Compares a wallet with a model, after random histories of holds, captures, releases and adjustments that
 * include repeated and stale writes.
 */
export function walletModelContract(name: string, open: OpenHarness<Needed>, { runs = 30 }: Runs = {}): void {
  describe(`a wallet in ${name}`, () => {
    const w = useWorld(open)

    test('equals the model after every write, and its postings sum to its balance', async () => {
      const commands = fc.commands(anyCommands, { maxCommands: 40 })
      await fc.assert(
        fc.asyncProperty(commands, async (history) => {
          const tenantId = await w.newWallet(usdt(0n))
          const model: Model = { available: 0n, adjusted: 0n, debited: 0n, open: [], ended: 0 }
          const real: Real = { w, tenantId, accepted: [], ended: [] }
          await fc.asyncModelRun(() => ({ model, real }), history)
        }),
        { numRuns: runs },
      )
    })
  })
}

type Model = {
  available: bigint
  adjusted: bigint
  debited: bigint
  /** The hold of each payout in `processing`, in the order of `Real.accepted`. */
  readonly open: bigint[]
  ended: number
}
type Real = {
  readonly w: World<Needed>
  readonly tenantId: string
  readonly accepted: { readonly write: AcceptCommit; readonly payout: ProcessingPayout }[]
  readonly ended: SettleCommit[]
}
type Command = fc.AsyncCommand<Model, Real>

const heldOf = (model: Model): bigint => model.open.reduce((sum, amount) => sum + amount, 0n)

async function expectSame(model: Model, { w, tenantId }: Real): Promise<void> {
  const wallet = await w.wallets.find(tenantId)
  const totals = await w.wallets.totals(tenantId)
  expect(await w.wallets.books(tenantId)).toEqual({ wallet, totals })
  expect(wallet?.available.minor).toBe(model.available)
  expect(wallet?.held.minor).toBe(heldOf(model))
  expect(totals.adjusted.minor).toBe(model.adjusted)
  expect(totals.debited.minor).toBe(model.debited)
  expect(wallet && isBalanced(wallet, totals)).toBe(true)
}

const adjust = (direction: 'in' | 'out', amount: bigint): Command => ({
  check: () => true,
  run: async (model, real) => {
    const { w, tenantId } = real
    const id = w.ids.uuid(someInstant)
    const why = { reason: 'model', actor: 'test' }
    const result = await adjustWallet(w, { id, tenantId, direction, amount: usdt(amount), ...why })
    const signed = direction === 'in' ? amount : -amount
    const fits = model.available + signed >= 0n
    expect(result).toBe(fits ? 'committed' : 'insufficient_balance')
    if (fits) {
      model.available += signed
      model.adjusted += signed
    }
    await expectSame(model, real)
  },
  toString: () => `adjust ${direction} ${amount}`,
})

const hold = (amount: bigint): Command => ({
  check: () => true,
  run: async (model, real) => {
    const { w, tenantId } = real
    const write = w.acceptCommit(await w.newQuote(tenantId, { source: usdt(amount) }))
    const fits = amount <= model.available
    expect(await w.payouts.commit(write)).toBe(fits ? 'committed' : 'insufficient_balance')
    if (fits) {
      model.available -= amount
      model.open.push(amount)
      real.accepted.push({ write, payout: write.step.payout })
    }
    await expectSame(model, real)
  },
  toString: () => `hold ${amount}`,
})

const end = (how: 'capture' | 'release', choice: number): Command => ({
  check: (model) => model.open.length > 0,
  run: async (model, real) => {
    const index = choice % model.open.length
    const [amount = 0n] = model.open.splice(index, 1)
    const [accepted] = real.accepted.splice(index, 1)
    if (accepted === undefined) throw new Error('the model has a payout that the store has not')
    const { payout } = accepted
    const answer = how === 'capture' ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
    const write = real.w.settleCommit(payout, answer)
    expect(await real.w.payouts.commit(write)).toBe('committed')
    real.ended.push(write)
    model.ended++
    if (how === 'capture') model.debited += amount
    else model.available += amount
    await expectSame(model, real)
  },
  toString: () => `${how} #${choice}`,
})

const acceptAgain = (choice: number): Command => ({
  check: (model) => model.open.length > 0,
  run: async (model, real) => {
    const write = real.accepted[choice % real.accepted.length]?.write
    expect(write && (await real.w.payouts.commit(write))).toBe('stale')
    await expectSame(model, real)
  },
  toString: () => `accept again #${choice}`,
})

const settleAgain = (choice: number): Command => ({
  check: (model) => model.ended > 0,
  run: async (model, real) => {
    const write = real.ended[choice % real.ended.length]
    expect(write && (await real.w.payouts.commit(write))).toBe('stale')
    const id = write?.step.payout.id ?? ''
    const stored = await real.w.payouts.get(real.tenantId, id)
    expect(stored).toEqual<SettledPayout | undefined>(write?.step.payout)
    await expectSame(model, real)
  },
  toString: () => `settle again #${choice}`,
})

const amount = fc.bigInt({ min: 1n, max: 30n })
const anyCommands = [
  amount.map((minor) => adjust('in', minor)),
  fc.bigInt({ min: 1n, max: 15n }).map((minor) => adjust('out', minor)),
  amount.map(hold),
  amount.map(hold),
  fc.nat(9).map((choice) => end('capture', choice)),
  fc.nat(9).map((choice) => end('release', choice)),
  fc.nat(9).map(acceptAgain),
  fc.nat(9).map(settleAgain),
]
