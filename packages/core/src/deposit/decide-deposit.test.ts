import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBalanced, postTransfer } from '../ledger/ledger.ts'
import { MAX_MINOR, usdt } from '../money.ts'
import { creditDeposit } from './credit-deposit.ts'
import { type DepositInReview, type DepositStep, type PendingDeposit, type ReviewCode, reviewCodes } from './deposit.ts'
import { someDeposit } from './deposit.fixture.ts'
import { defaultDepositRules, type DepositFacts, decideDeposit } from './decide-deposit.ts'
import type { DepositRules } from './ports.ts'
import { closeReview, isCreditableReview, isOpenReview } from './resolve-review.ts'

const at = new Date('2026-03-01T12:00:00.000Z')
const nothingWrong: DepositFacts = {
  isGone: false,
  screening: 'clear',
  tenantStatus: 'active',
  isAddressRetired: false,
  isSenderBlocked: false,
  isAddressFrozen: false,
  isSenderService: false,
  isAddressVerified: true,
  tokenState: 'normal',
  doSourcesDisagree: false,
  isAboveUnverifiedLimit: false,
}

/** The facts or amount that make each code apply to a valid deposit. */
const wrong: Readonly<Record<ReviewCode, { facts?: Partial<DepositFacts>; minor?: bigint }>> = {
  TRANSFER_DROPPED: { facts: { isGone: true } },
  SENDER_LISTED: { facts: { screening: 'listed' } },
  SENDER_NOT_SCREENED: { facts: { screening: 'unanswered' } },
  TENANT_NOT_ACTIVE: { facts: { tenantStatus: 'suspended' } },
  ADDRESS_RETIRED: { facts: { isAddressRetired: true } },
  SENDER_BLOCKED: { facts: { isSenderBlocked: true } },
  ADDRESS_FROZEN: { facts: { isAddressFrozen: true } },
  SENDER_IS_SERVICE: { facts: { isSenderService: true } },
  ADDRESS_NOT_VERIFIED: { facts: { isAddressVerified: false } },
  TOKEN_STATE_CHANGED: { facts: { tokenState: 'paused' } },
  SOURCES_DISAGREE: { facts: { doSourcesDisagree: true } },
  AMOUNT_BELOW_MINIMUM: { minor: defaultDepositRules.minimum.minor - 1n },
  AMOUNT_ABOVE_AUTO_LIMIT: { minor: defaultDepositRules.autoLimit.minor + 1n },
}

const decide = (minor: bigint, facts: Partial<DepositFacts>, rules = defaultDepositRules) =>
  decideDeposit({ ...someDeposit, amount: usdt(minor) }, { ...nothingWrong, ...facts }, rules, at)

/** From one micro-USDT to the amount that a hostile token may claim. */
const anyValue = fc.oneof(
  fc.bigInt({ min: 1n, max: 2_000_000n }),
  fc.bigInt({ min: 1n, max: MAX_MINOR }),
  fc.bigInt({ min: MAX_MINOR + 1n, max: 2n ** 256n - 1n }),
  fc.constantFrom(1n, 999_999n, 1_000_000n, MAX_MINOR, MAX_MINOR + 1n, 2n ** 256n - 1n),
)
const anyFacts: fc.Arbitrary<DepositFacts> = fc.record({
  isGone: fc.boolean(),
  screening: fc.constantFrom('clear', 'listed', 'unanswered'),
  tenantStatus: fc.constantFrom('active', 'suspended'),
  isAddressRetired: fc.boolean(),
  isSenderBlocked: fc.boolean(),
  isAddressFrozen: fc.boolean(),
  isSenderService: fc.boolean(),
  isAddressVerified: fc.boolean(),
  tokenState: fc.constantFrom('normal', 'paused', 'deprecated', 'charges_fee'),
  doSourcesDisagree: fc.boolean(),
  isAboveUnverifiedLimit: fc.boolean(),
})
const anyRules: fc.Arbitrary<DepositRules> = fc.record({
  minimum: fc.bigInt({ min: 0n, max: 10n ** 7n }).map(usdt),
  dust: fc.bigInt({ min: 0n, max: 10n ** 6n }).map(usdt),
  autoLimit: fc.bigInt({ min: 0n, max: 2n ** 256n }).map(usdt),
  verifyFrom: fc.constant(usdt(0n)),
  unverifiedLimits: fc.constant(defaultDepositRules.unverifiedLimits),
})

test('a valid deposit is credited with its whole amount', () => {
  const step = decide(25_000_000n, {})
  expect(step).toEqual({
    deposit: { ...someDeposit, status: 'credited', creditedAt: at },
    transfer: { type: 'deposit', amount: usdt(25_000_000n) },
    event: 'deposit.credited',
  })
})

test('a clock behind the observing process’s credits no earlier than the observation', () => {
  const seen = { ...someDeposit, createdAt: new Date(at.getTime() + 500) }
  const { deposit } = decideDeposit(seen, nothingWrong, defaultDepositRules, at)
  expect(deposit).toMatchObject({ status: 'credited', creditedAt: seen.createdAt })
})

test.each([...reviewCodes])('%s alone sends it to review, and moves nothing', (code) => {
  const { facts = {}, minor = 25_000_000n } = wrong[code]
  expect(decide(minor, facts)).toEqual({
    deposit: { ...someDeposit, amount: usdt(minor), status: 'in_review', reviewCode: code, closed: null },
    transfer: null,
    event: 'deposit.in_review',
  })
})

/** A sender that is listed was screened. */
const isPossible = (codes: readonly ReviewCode[]): boolean =>
  !codes.includes('SENDER_LISTED') || !codes.includes('SENDER_NOT_SCREENED')

test('of several review codes the first in the list applies', () => {
  fc.assert(
    fc.property(fc.subarray([...reviewCodes], { minLength: 1 }).filter(isPossible), (codes) => {
      const facts = Object.assign({}, ...codes.map((code) => wrong[code].facts)) as DepositFacts
      const minor = codes.map((code) => wrong[code].minor).findLast((each) => each !== undefined)
      // An amount is not below the minimum and above the limit: then the later one is left out.
      const applying = codes.filter((code) => wrong[code].minor === undefined || wrong[code].minor === minor)
      const { deposit } = decide(minor ?? 25_000_000n, facts)
      expect(deposit).toMatchObject({ status: 'in_review', reviewCode: applying[0] })
    }),
  )
})

test('below the dust limit, and only there, the review is closed by the same step', () => {
  const minor = defaultDepositRules.dust.minor
  expect(minor).toBe(10_000n)
  const closed = { at, actor: null, reason: 'DUST' }
  for (const each of [1n, minor - 1n])
    expect(decide(each, {})).toMatchObject({
      deposit: { status: 'in_review', reviewCode: 'AMOUNT_BELOW_MINIMUM', closed },
      transfer: null,
      event: 'deposit.in_review',
    })
  expect(decide(minor, {}).deposit).toMatchObject({ status: 'in_review', closed: null })
  const retired = decide(1n, { isAddressRetired: true })
  expect(retired.deposit).toMatchObject({ reviewCode: 'ADDRESS_RETIRED', closed })
  const seen = { ...someDeposit, amount: usdt(1n), createdAt: new Date(at.getTime() + 500) }
  const { deposit } = decideDeposit(seen, nothingWrong, defaultDepositRules, at)
  expect(deposit).toMatchObject({ closed: { at: seen.createdAt } })
})

test('the minimum and the limit themselves are credited', () => {
  const { minimum, autoLimit } = defaultDepositRules
  for (const { minor } of [minimum, autoLimit]) {
    expect(decide(minor, {}).deposit.status).toBe('credited')
  }
})

test('the wallet receives the transfer’s amount or nothing, and the books balance', () => {
  fc.assert(
    fc.property(anyValue, anyFacts, anyRules, (minor, facts, rules) => {
      const { deposit, transfer, event } = decide(minor, facts, rules)
      expect(transfer).toEqual(deposit.status === 'credited' ? { type: 'deposit', amount: usdt(minor) } : null)
      const empty = { available: usdt(0n), held: usdt(0n) }
      const balance = (transfer && postTransfer(empty, transfer)) ?? empty
      const none = { debited: usdt(0n), adjusted: usdt(0n), held: usdt(0n) }
      const credited = deposit.status === 'credited' ? deposit.amount : usdt(0n)
      expect(isBalanced(balance, { ...none, credited })).toBe(true)
      expect(event).toBe(`deposit.${deposit.status}`)
    }),
  )
})

describe('an amount above MAX_MINOR, or a dropped transfer', () => {
  test('is credited neither by the rules nor by an operator', () => {
    fc.assert(
      fc.property(anyValue, anyFacts, anyRules, (minor, facts, rules) => {
        fc.pre(minor > MAX_MINOR || facts.isGone)
        const { deposit } = decide(minor, facts, rules)
        expect(deposit.status).toBe('in_review')
        if (deposit.status === 'in_review' && isOpenReview(deposit)) {
          expect(isCreditableReview(deposit)).toBe(false)
        }
      }),
    )
  })
})

describe('an operator', () => {
  const inReview = (minor: bigint, code: ReviewCode): DepositInReview => ({
    ...someDeposit,
    amount: usdt(minor),
    status: 'in_review',
    reviewCode: code,
    closed: null,
  })
  const closing = { at, actor: 'ana', reason: 'sent back' }

  test('credits every creditable review like an automatic credit', () => {
    for (const code of reviewCodes.filter((each) => each !== 'TRANSFER_DROPPED')) {
      const deposit = inReview(MAX_MINOR, code)
      if (!isOpenReview(deposit) || !isCreditableReview(deposit)) throw new Error(`${code} is not creditable`)
      expect(creditDeposit(deposit, at)).toEqual(creditDeposit({ ...someDeposit, amount: usdt(MAX_MINOR) }, at))
    }
  })

  test('closes any review: it keeps its code, moves nothing and has its event', () => {
    for (const code of reviewCodes) {
      const deposit = inReview(2n ** 256n - 1n, code)
      if (!isOpenReview(deposit)) throw new Error('it was never closed')
      const step = closeReview(deposit, closing)
      expect(step).toEqual({ deposit: { ...deposit, closed: closing }, transfer: null, event: 'deposit.closed' })
      expect(isOpenReview(step.deposit)).toBe(false)
    }
  })

  test('forbidden transitions do not compile', () => {
    const pending: PendingDeposit = someDeposit
    const reviewed: DepositInReview = inReview(1n, 'TRANSFER_DROPPED')
    const { deposit: credited } = creditDeposit(pending, at)
    const impossible = (): DepositStep[] => [
      // @ts-expect-error a credited deposit is final
      creditDeposit(credited, at),
      // @ts-expect-error isCreditableReview must be checked first
      creditDeposit(reviewed, at),
      // @ts-expect-error only an undecided deposit is decided
      decideDeposit(credited, nothingWrong, defaultDepositRules, at),
      // @ts-expect-error a pending deposit cannot be closed
      closeReview(pending, closing),
    ]
    expect(impossible).toBeInstanceOf(Function)
  })
})
