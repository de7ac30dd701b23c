import { signatureOf } from '@quipu/contracts/simulation'
import { usdt } from '@quipu/core'
import { answered, type Fleet } from '../process/fleet.ts'
import type { Details } from '../scenario/scenario.ts'
import { ana, ben } from '../world/operators.ts'
import { treasuryAccount } from '../world/sweep-chain.ts'
import { send } from '../world/transfers.ts'
import type { World } from '../world/world.ts'

/**
 * An operator plans sweeps. Later another one exports a batch, signs some of its transfers offline, may send them by
 * another program, and imports the signatures.
 */
export async function sweep(world: World, fleet: Fleet, details: Details): Promise<void> {
  const request = { threshold: usdt(BigInt(1 + details.nat(3_000_000))), limit: 1 + details.nat(3) }
  await answered(world, fleet, async ({ useCases }) => useCases.sweeping?.plan(ana, request))
  await world.loop.wait(details.nat(20_000))
  const { items } = await world.database.stores.sweeps.list({ limit: 3 })
  if (items.length > 0) await sign(world, fleet, details, details.pick(items).batch.id)
}

async function sign(world: World, fleet: Fleet, details: Details, id: string): Promise<void> {
  const plan = await answered(world, fleet, ({ link }) => link.stores.sweeps.find(id))
  const exported = (plan?.transfers ?? []).filter(({ status }) => status === 'planned' && details.chance(0.8))
  const isRightKey = details.chance(0.9)
  if (isRightKey && details.chance(0.3))
    for (const { txHash } of exported) {
      const transfer = world.chain.built.get(txHash)
      if (transfer !== undefined) send(world.chain, transfer)
    }
  const signed = exported.map(({ id, txHash, account }) => ({
    id,
    txHash,
    signature: signatureOf(isRightKey ? account : treasuryAccount, txHash),
  }))
  await answered(world, fleet, async ({ useCases }) => useCases.sweeping?.importSigned(ben, id, signed))
}
