import { type Clock, defaultDepositRules, type Deposit, type Stores } from '@quipu/core'
import { type DepositFacts, decideDeposit, recordEvent, openDeposit, sha256, type ChainView } from '@quipu/core/adapter'
import { systemIds } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import { ownWallet } from './chain.fixture.ts'

export type DepositOptions = {
  readonly tenantId: string
  readonly value: bigint
  /** `head` leaves the deposit pending; `solid`, the default, settles it. */
  readonly seenIn?: ChainView
  /** Facts that differ from those of a deposit that is credited. */
  readonly facts?: Partial<DepositFacts>
}

/** Creates deposits to top-up addresses as a worker does, without a chain. */
export function depositMaker(stores: Pick<Stores, 'addresses' | 'scans' | 'deposits'>, now: Clock) {
  let made = 0
  return async ({ tenantId, value, seenIn = 'solid', facts }: DepositOptions): Promise<Deposit> => {
    const [topUp] = await stores.addresses.list(tenantId)
    if (!topUp) throw new Error(`${tenantId} has not read its wallet`)
    const at = now()
    const claimed = await stores.scans.claim('tron', seenIn, 60)
    if (!claimed) throw new Error('the scan is leased')
    const { claim, at: from } = claimed
    const number = (from?.number ?? 0) + 1
    const block = { number, id: sha256(`${seenIn} ${number}`), at }
    const transfer = {
      txHash: sha256(`transfer ${++made}`),
      index: made,
      from: sha256('sender').slice(0, 40),
      to: topUp.account,
      value,
      expiresAt: new Date(at.getTime() + 6e4),
    }
    const seen = { id: systemIds.next('dep', at), fromAddress: ownWallet, at }
    const step = openDeposit(transfer, topUp, seen)
    const ports = { encodeEvent, ids: systemIds, now }
    const event = recordEvent(ports, { type: step.event, occurredAt: at, data: step.deposit }, () => step.deposit)
    const observed = { step: { ...step, event }, sender: transfer.from, block: number }
    const observedTransfers = [{ ...observed, expiresAt: transfer.expiresAt }]
    await stores.scans.advance(claim, { from, blocks: [block], observedTransfers, gone: [] })
    await stores.scans.yieldClaim(claim)
    if (seenIn === 'solid') await settle(stores, now, facts)
    const deposit = await stores.deposits.find(seen.id)
    if (!deposit) throw new Error('no deposit was made')
    return deposit
  }
}

const creditable: DepositFacts = {
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

async function settle(
  { deposits }: Pick<Stores, 'deposits'>,
  now: Clock,
  facts: Partial<DepositFacts> = {},
): Promise<void> {
  for (const { claim, deposit } of await deposits.claimDue(10, 60)) {
    const allFacts = { ...creditable, ...facts }
    const step = decideDeposit(deposit, allFacts, defaultDepositRules, now())
    const fact = { type: step.event, occurredAt: now(), data: step.deposit }
    const event = recordEvent({ encodeEvent, ids: systemIds, now }, fact, () => step.deposit)
    await deposits.commit({ kind: 'settle', step: { ...step, event }, claim })
  }
}
