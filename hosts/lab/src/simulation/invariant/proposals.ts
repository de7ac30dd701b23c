import type { Proposal } from '@quipu/core/operator'
import { initialFunds } from '../world/tenants.ts'
import type { World } from '../world/world.ts'

/** Checks that each request made one proposal, that another person approved it, and that it was executed once. */
export async function checkProposals(world: World): Promise<void> {
  const { database, loop, tenants, violations } = world
  const { proposals, wallets } = database.stores
  const { items } = await proposals.list({ limit: 10_000, now: loop.now() })
  const requests = items.map(({ reason }) => reason).filter((reason) => reason !== initialFunds)
  if (new Set(requests).size !== requests.length) violations.push('one request made two proposals')
  for (const proposal of items) {
    const { id, proposedBy, action } = proposal
    const by = 'approval' in proposal ? proposal.approval.by : undefined
    if (by === proposedBy) violations.push(`${id} was approved by its proposer`)
    if (by === null && action.type === 'settle_payout')
      violations.push(`${id} settled a payout without a second person`)
  }
  for (const { id } of tenants) {
    const { items: rows } = await wallets.transactions(id, { limit: 10_000 })
    const posted = rows.filter(({ type }) => type === 'adjustment').length
    const executed = items.filter((each) => each.tenantId === id && isExecutedAdjustment(each))
    if (posted !== executed.length)
      violations.push(`${id} has ${posted} adjustments, and ${executed.length} executed proposals`)
  }
}

const isExecutedAdjustment = ({ status, action }: Proposal): boolean =>
  status === 'executed' && action.type === 'adjust_wallet'
