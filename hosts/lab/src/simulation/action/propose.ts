import { usdt } from '@quipu/core'
import { type NetworkAnswer, sha256 } from '@quipu/core/adapter'
import type { Evidence, ProposalAnswer, ProposalNote, SettlePayout } from '@quipu/core/operator'
import { answered, type Fleet } from '../process/fleet.ts'
import type { Api } from '../process/processes.ts'
import type { Details } from '../scenario/scenario.ts'
import { ana, ben } from '../world/operators.ts'
import { allPayouts, needingPeople, type World } from '../world/world.ts'

export const adjustWallet = (world: World, fleet: Fleet, details: Details): Promise<void> => {
  const { id } = details.pick(world.tenants)
  const direction = details.chance(0.6) ? 'in' : 'out'
  const adjustment = { direction, amount: usdt(BigInt(1 + details.nat(6_000_000))) } as const
  const note = noteOf(keyOf(details))
  return approved(world, fleet, ({ useCases }) =>
    useCases.funding.manageProposals.adjustWallet(ana, id, adjustment, note),
  )
}

export async function resolveReview(world: World, fleet: Fleet, details: Details): Promise<void> {
  const { items } = await world.database.stores.deposits.listAll({ limit: 100 })
  const open = items.filter(({ status }) => status === 'in_review')
  if (open.length === 0) return
  const { id } = details.pick(open)
  const type = details.chance(0.5) ? 'credit_deposit' : 'close_deposit'
  const note = noteOf(keyOf(details))
  await approved(world, fleet, ({ useCases }) => useCases.funding.manageProposals.resolveDeposit(ana, id, type, note))
}

/** Operators settle a payout by what the network's record shows them, once it is final. */
export async function settleByEvidence(world: World, fleet: Fleet, details: Details): Promise<void> {
  const found = await undecided(world, details)
  if (found !== undefined) await settle(world, fleet, found, keyOf(details))
}

async function settle(world: World, fleet: Fleet, { id, settlement }: Undecided, key: string): Promise<void> {
  const note = { ...noteOf(key), evidence: { note: 'the record of the network', digest: sha256(id) } }
  await answered(world, fleet, ({ useCases }) => useCases.paying.operatePayouts.query(ana, id))
  await approved(world, fleet, ({ useCases }) =>
    useCases.funding.manageProposals.settlePayout(ana, id, settlement, note),
  )
}

/**
 * Operators settle each payout that a network without cancel leaves to people, by its written word: its record, and that
 * no order of the reference is on its way. Does nothing at a network that cancels.
 */
export async function settleDoubtful(world: World, fleet: Fleet): Promise<void> {
  const { withoutCancel, qrNetwork } = world
  if (withoutCancel === undefined) return
  const needing = needingPeople(world)
  for (const { id, status } of await allPayouts(world)) {
    if (status !== 'processing' || !needing.has(id) || withoutCancel.isReturned(id)) continue
    const settlement = settlementOf(qrNetwork.answerOf(id) ?? { type: 'cancelled' })
    if (settlement !== undefined) await settle(world, fleet, { id, settlement }, `doubt ${id}`)
  }
}

type Undecided = { readonly id: string; readonly settlement: Settlement }

/** A payout in `processing` that the network has ended: operators look again every two seconds. */
async function undecided(world: World, details: Details): Promise<Undecided | undefined> {
  for (let look = 0; look < 15; look++) {
    const open = (await allPayouts(world)).flatMap(({ id, status }) => {
      const settlement = status === 'processing' && settlementOf(world.qrNetwork.answerOf(id))
      return settlement ? [{ id, settlement }] : []
    })
    if (open.length > 0) return details.pick(open)
    await world.loop.wait(2_000)
  }
  return undefined
}

type Settlement = Omit<SettlePayout, 'type' | 'payoutId'>

function settlementOf(answer: NetworkAnswer | undefined): Settlement | undefined {
  const nothing = { paid: null, networkPaymentId: null }
  if (answer === undefined) return undefined
  switch (answer.type) {
    case 'paid':
      return { outcome: 'completed', paid: answer.amount, networkPaymentId: answer.paymentId }
    case 'refused_payment':
    case 'refused_qr':
      return { outcome: 'failed', ...nothing }
    case 'cancelled':
    case 'limit':
    case 'no_liquidity':
      return { outcome: 'cancelled', ...nothing }
    case 'pending':
    case 'not_seen':
    case 'not_sent':
    case 'returned':
    case 'unknown':
      return undefined
  }
}

const keyOf = (details: Details): string => `request ${details.nat(0xffff_fffe)}`

/** A repeated request has the same key. The reason names the request, so that a second proposal of it shows. */
function noteOf(key: string): ProposalNote & { readonly evidence: Evidence | null } {
  return { reason: key, evidence: null, request: { key, fingerprint: sha256(key) } }
}

/** One operator proposes, and another one approves. */
async function approved(world: World, fleet: Fleet, propose: (api: Api) => Promise<ProposalAnswer>): Promise<void> {
  const proposed = await answered(world, fleet, propose)
  if (proposed?.type !== 'proposal') return
  await answered(world, fleet, ({ useCases }) => useCases.funding.manageProposals.approve(ben, proposed.proposal.id))
}
