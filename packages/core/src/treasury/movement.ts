import type { AuditEntry, AuditOrigin } from '../audit/ports.ts'
import { type Bob, type Money, toDecimal, type Usdt } from '../money.ts'
import type { Evidence } from '../proposal/proposal.ts'
import { isoText } from '../time.ts'

/** The operator's own accounts: USDT in the treasury; BOB at the bank, and at the QR network. */
export const treasuryAccounts = ['treasury', 'bank', 'network'] as const
/** One of `treasuryAccounts`. */
export type TreasuryAccount = (typeof treasuryAccounts)[number]

/** The kinds of movements that the service does not make itself. */
export const movementKinds = ['sale', 'funding', 'withdrawal', 'capital_in', 'capital_out', 'fee'] as const
/**
 * `sale`: USDT of the treasury for BOB at the bank. `funding`: BOB from the bank to the network; `withdrawal`: back.
 * `capital_in`, `capital_out`: the owners' money. `fee`: what a chain or a bank charged.
 */
export type MovementKind = (typeof movementKinds)[number]

/** A movement as an operator records it. */
export type NewMovement = {
  /** `trm_` and a ULID. */
  readonly id: string
  readonly kind: MovementKind
  /** The account of `capital_in`, `capital_out` and `fee`; null for the others, which have theirs. */
  readonly account: TreasuryAccount | null
  /** With a sale, and where the account is the treasury. */
  readonly usdt: Usdt | null
  /** With every other one, and with a sale as well. */
  readonly bob: Bob | null
  /** When it happened. */
  readonly at: Date
  /** The number that the chain or the bank gave it. It is recorded once. */
  readonly reference: string
  readonly reason: string
  readonly evidence: Evidence
}

/** A movement on record. Never changes: another one reverses it. */
export type Movement = NewMovement & {
  /** The movement that it undoes; null for an ordinary one. */
  readonly reverses: string | null
  readonly createdBy: string
  readonly createdAt: Date
}

/** An account's new money against a side that the trial balance names; null: a transfer between accounts. */
export type MovementLine = {
  readonly account: TreasuryAccount
  readonly against: 'sales' | 'capital' | 'fees' | null
  /** Negative where it left the account. */
  readonly amount: Money
}

type Effect = readonly [account: TreasuryAccount | 'own', against: MovementLine['against'], sign: 1n | -1n]

/** SQL has the same in the view `treasury_line` of packages/postgres/migrations/0043-reports.sql. */
const effects: Readonly<Record<MovementKind, readonly Effect[]>> = {
  sale: [
    ['treasury', 'sales', -1n],
    ['bank', 'sales', 1n],
  ],
  funding: [
    ['bank', null, -1n],
    ['network', null, 1n],
  ],
  withdrawal: [
    ['network', null, -1n],
    ['bank', null, 1n],
  ],
  capital_in: [['own', 'capital', 1n]],
  capital_out: [['own', 'capital', -1n]],
  fee: [['own', 'fees', -1n]],
}

/** The lines of a movement. */
export function movementLines({
  kind,
  account: own,
  usdt,
  bob,
  reverses,
}: Pick<Movement, 'kind' | 'account' | 'usdt' | 'bob' | 'reverses'>): readonly MovementLine[] {
  return effects[kind].flatMap(([each, against, sign]) => {
    const account = each === 'own' ? own : each
    const money: Money | null = account === 'treasury' ? usdt : bob
    if (account === null || money === null) return []
    const minor = sign * (reverses === null ? money.minor : -money.minor)
    return [{ account, against, amount: { currency: money.currency, minor } }]
  })
}

/** The members that a kind needs, and whether `account` is one of them. */
export function movementFaults({
  kind,
  account,
  usdt,
  bob,
}: { readonly [M in 'account' | 'usdt' | 'bob']: unknown } & { readonly kind: MovementKind }): readonly {
  readonly field: 'account' | 'usdt' | 'bob'
  readonly isMissing: boolean
}[] {
  const isOwn = effects[kind].some(([each]) => each === 'own')
  const isOfTreasury = isOwn && account === 'treasury'
  const needs = { account: isOwn, usdt: kind === 'sale' || isOfTreasury, bob: kind === 'sale' || !isOfTreasury }
  const given = { account, usdt, bob }
  return (['account', 'usdt', 'bob'] as const).flatMap((field) => {
    const isGiven = given[field] !== null && given[field] !== undefined
    return isGiven === needs[field] ? [] : [{ field, isMissing: needs[field] }]
  })
}

/** The audit entry of a recorded movement. */
export const auditMovement = (movement: Movement, origin: AuditOrigin): AuditEntry => {
  const { id, kind, account, usdt, bob, at, reference, reason, evidence, reverses } = movement
  return {
    ...origin,
    action: 'treasury.record',
    tenantId: null,
    subject: id,
    at: movement.createdAt,
    before: null,
    after: {
      kind,
      ...(account !== null && { account }),
      ...(usdt && { usdt: toDecimal(usdt) }),
      ...(bob && { bob: toDecimal(bob) }),
      at: isoText(at),
      reference,
      reason,
      evidence_digest: evidence.digest,
      ...(reverses !== null && { reverses }),
    },
  }
}
