import { isLiveSweep } from '@quipu/core/operator'
import { allSweeps } from './transfers.ts'
import { allPayouts, type World } from '../world/world.ts'

/** Work that is still under way; empty when everything has ended, and the blocks of a chain that has stopped are scanned. */
export async function unfinished(world: World): Promise<readonly string[]> {
  const { database, chain, network, qrNetwork, withoutCancel } = world
  const { stores } = database
  // Paid, and reported with another amount or returned: an operator decides.
  const isForOperator = (id: string): boolean =>
    qrNetwork.answerOf(id)?.type === 'paid' && (network.wrongAmounts.has(id) || withoutCancel?.isReturned(id) === true)
  const open = (await allPayouts(world)).filter(({ id, status }) => status === 'processing' && !isForOperator(id))
  const { items: deposits } = await stores.deposits.listAll({ limit: 1_000 })
  const pending = deposits.filter(({ status }) => status === 'pending')
  const scanned = await stores.scans.at('tron', 'solid')
  const sends = await stores.overview.faucetSends({ limit: 1_000 })
  const submitted = sends.items.filter(({ status }) => status === 'submitted')
  const sweeps = (await allSweeps(world)).filter(isLiveSweep)
  return [
    ...sweeps.map(({ id, status }) => `sweep ${id} is ${status}`),
    ...open.map(({ id }) => `payout ${id} is in processing`),
    ...pending.map(({ id }) => `deposit ${id} is pending`),
    ...submitted.map(({ id }) => `faucet send ${id} is submitted`),
    ...(scanned?.number === chain.solid || !world.hasChainStopped
      ? []
      : [`the solid scan is at ${scanned?.number ?? 0} of ${chain.solid}`]),
    ...(await openDeliveries(world)),
  ]
}

async function openDeliveries({ database, tenants }: World): Promise<readonly string[]> {
  const { webhooks, deliveries } = database.stores
  const open: string[] = []
  for (const { id: tenantId } of tenants) {
    const { items: endpoints } = await webhooks.list(tenantId, { limit: 100 })
    for (const { id, status } of endpoints) {
      if (status === 'paused') continue
      const { items } = await deliveries.list(tenantId, id, { limit: 1_000, status: 'pending' })
      open.push(...items.map(({ eventId }) => `event ${eventId} is not delivered to ${id}`))
    }
  }
  return open
}
