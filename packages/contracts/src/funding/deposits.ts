import { expect } from 'vitest'
import {
  type ClaimedDeposit,
  closeReview,
  creditDeposit,
  type CreditedDeposit,
  defaultDepositRules,
  type DepositCommit,
  type DepositFacts,
  type DepositInReview,
  isCreditable,
  isOpen,
  judgeDeposit,
  type PendingDeposit,
  type TopUpAddress,
  usdt,
} from '@quipu/core'
import { eventAbout, laterInstant, someInstant } from '../given.ts'
import type { World } from '../harness.ts'
import { newTopUp } from './addresses.ts'
import {
  refOf,
  scanner,
  type Scanner,
  observedTransferOf,
  type TransferWish,
} from './observed-transfers.ts'

export type SettleDeposit = Extract<DepositCommit, { kind: 'settle' }>
export type CreditDeposit = Extract<DepositCommit, { kind: 'credit' }>
export type CloseDeposit = Extract<DepositCommit, { kind: 'close' }>

const nothingWrong: DepositFacts = {
  isGone: false,
  tenantStatus: 'active',
  isAddressRetired: false,
  isSenderBlocked: false,
  isSenderService: false,
  tokenState: 'normal',
  doSourcesDisagree: false,
  isAboveUnverifiedLimit: false,
}

/** A tenant, its top-up address, and the scans of both views, of a world of this test alone. */
export type Funding = {
  readonly tenantId: string
  readonly topUp: TopUpAddress
  readonly head: Scanner
  readonly solid: Scanner
  /** Deposits that only the head has shown. */
  pending(...wishes: TransferWish[]): Promise<PendingDeposit[]>
  /** Deposits that solid blocks have shown: due. */
  due(...wishes: TransferWish[]): Promise<PendingDeposit[]>
  /** A deposit that will never be: due. */
  gone(wish?: TransferWish): Promise<PendingDeposit>
  claimOne(): Promise<ClaimedDeposit>
  credited(wish?: TransferWish): Promise<CreditedDeposit>
  inReview(wish?: TransferWish, facts?: Partial<DepositFacts>): Promise<DepositInReview>
}

export async function funding(w: World): Promise<Funding> {
  const tenantId = await w.newWallet(usdt(0n))
  const topUp = await newTopUp(w, tenantId)
  return fundingOf(w, topUp, { head: await scanner(w, 'head'), solid: await scanner(w, 'solid') })
}

/** The same for another tenant of a world that is being scanned. */
export const alsoFunding = async (
  w: World,
  scans: Pick<Funding, 'head' | 'solid'>,
): Promise<Funding> => fundingOf(w, await newTopUp(w, await w.newWallet(usdt(0n))), scans)

function fundingOf(
  w: World,
  topUp: TopUpAddress,
  { head, solid }: Pick<Funding, 'head' | 'solid'>,
): Funding {
  const seenIn = async (view: Scanner, wishes: readonly TransferWish[]) => {
    const observedTransfers = (wishes.length > 0 ? wishes : [{}]).map((wish) =>
      observedTransferOf(w, topUp, wish),
    )
    await view.scan({ observedTransfers })
    return observedTransfers.map(({ step }) => step.deposit)
  }
  const claimOne = async () => {
    const [claimed] = await w.deposits.claimDue(1, 100)
    if (claimed === undefined) throw new Error('no deposit is due')
    return claimed
  }
  async function settled(wish: TransferWish, facts: Partial<DepositFacts>) {
    await seenIn(solid, [wish])
    const write = settlingDeposit(w, await claimOne(), facts)
    expect(await w.deposits.commit(write)).toBe('committed')
    return write.step.deposit
  }
  return {
    tenantId: topUp.tenantId,
    topUp,
    head,
    solid,
    pending: (...wishes) => seenIn(head, wishes),
    due: (...wishes) => seenIn(solid, wishes),
    gone: async (wish = {}) => {
      const observed = observedTransferOf(w, topUp, wish)
      await head.scan({ observedTransfers: [observed] })
      await solid.scan({ gone: [refOf(observed)] })
      return observed.step.deposit
    },
    claimOne,
    credited: async (wish = {}) => {
      const deposit = await settled(wish, {})
      if (deposit.status !== 'credited') throw new Error(`it is in review: ${deposit.reviewCode}`)
      return deposit
    },
    inReview: async (wish = {}, facts = { isSenderBlocked: true }) => {
      const deposit = await settled(wish, facts)
      if (deposit.status !== 'in_review') throw new Error('nothing was wrong with it')
      return deposit
    },
  }
}

/** The write that ends a claimed deposit; nothing is wrong with it unless told otherwise. */
export function settlingDeposit(
  { ids }: World,
  { claim, deposit, solid }: ClaimedDeposit,
  facts: Partial<DepositFacts> = {},
  at: Date = laterInstant,
): SettleDeposit {
  const known = { ...nothingWrong, isGone: solid.type === 'gone', ...facts }
  const step = judgeDeposit(deposit, known, defaultDepositRules, at)
  const event = eventAbout(deposit, `deposit.${step.deposit.status}`, ids, at)
  return { kind: 'settle', step, claim, event }
}

/** The write by which an operator credits a deposit in review. */
export function creditingDeposit(
  { ids }: World,
  deposit: DepositInReview,
  at: Date = laterInstant,
): CreditDeposit {
  if (!isOpen(deposit) || !isCreditable(deposit)) throw new Error('it cannot be credited')
  const event = eventAbout(deposit, 'deposit.credited', ids, at)
  const step = creditDeposit(deposit, at)
  return { kind: 'credit', step, event, actor: 'ana', reason: 'dueña conocida 💸' }
}

/** The write by which an operator closes a deposit in review. */
export function closingDeposit(deposit: DepositInReview, reason = 'sent back'): CloseDeposit {
  if (!isOpen(deposit)) throw new Error('it is closed already')
  return { kind: 'close', step: closeReview(deposit, { at: someInstant, actor: 'ana', reason }) }
}
