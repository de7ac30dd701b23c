import type { SignedTransfer } from '@quipu/core/adapter'
import { isLiveSweep, type SweepTransfer } from '@quipu/core/operator'
import { treasuryAccount } from '../world/sweep-chain.ts'
import { type BuiltTransfer, isSweep } from '../world/transfers.ts'
import type { World } from '../world/world.ts'

/** Every sweep transfer that the database has. */
export async function allSweeps({ database }: World): Promise<readonly SweepTransfer[]> {
  const { sweeps } = database.stores
  const { items } = await sweeps.list({ limit: 1_000 })
  const plans = await Promise.all(items.map(({ batch }) => sweeps.find(batch.id)))
  return plans.flatMap((plan) => plan?.transfers ?? [])
}

/** Checks that each address has at most one transfer that can still move tokens. */
export async function checkOneLive(world: World): Promise<void> {
  const accounts = (await allSweeps(world)).filter(isLiveSweep).map(({ account }) => account)
  if (new Set(accounts).size !== accounts.length)
    world.violations.push('an address has two sweeps that can move tokens')
}

/** Checks that the database has a transfer that the network has got. */
export async function checkSent(world: World, transfer: BuiltTransfer): Promise<void> {
  const { txHash } = transfer
  const stored = isSweep(transfer) ? await allSweeps(world) : await faucetTransfers(world)
  if (!stored.some((each) => each.txHash === txHash))
    world.violations.push(`${txHash} was sent, and the database does not have it`)
}

async function faucetTransfers({ database }: World): Promise<readonly SignedTransfer[]> {
  const { items } = await database.stores.overview.faucetSends({ limit: 10_000 })
  return items.map(({ transfer }) => transfer)
}

/** Checks that each sweep ended as solid blocks show, and that the treasury got nothing but sweeps. */
export async function checkSweeps(world: World): Promise<void> {
  const { chain, violations } = world
  const transfers = await allSweeps(world)
  const solid = chain.blocks.slice(0, chain.solid)
  const moves = solid.flatMap((block) => block.transfers)
  const included = new Set(solid.flatMap((block) => block.transactions))
  const moved = new Map(moves.map((move) => [move.txHash, move]))
  for (const { id, txHash, status, amount, account } of transfers) {
    const move = moved.get(txHash)
    if (included.has(txHash) && move === undefined) violations.push(`sweep ${id} moved nothing`)
    if ((status === 'solid') !== (move !== undefined))
      violations.push(`sweep ${id} is ${status}, and a solid block ${move ? 'has' : 'lacks'} it`)
    if (move && (move.value !== amount.minor || move.from !== account))
      violations.push(`sweep ${id} moved another amount, or from another address`)
    moved.delete(txHash)
  }
  for (const { txHash, to } of moved.values())
    if (to === treasuryAccount) violations.push(`the treasury got ${txHash}, which is not stored`)
}

/** Checks that the faucet sent each accepted request once. */
export async function checkFaucet({ chain, database, violations }: World): Promise<void> {
  const { items } = await database.stores.overview.faucetSends({ limit: 10_000 })
  const accepted = new Map(items.map((send) => [send.transfer.txHash, send]))
  const transfers = chain.blocks.slice(0, chain.solid).flatMap((block) => block.transfers)
  const moved = new Set(transfers.map(({ txHash }) => txHash))
  for (const [txHash, { status }] of accepted)
    if ((status === 'confirmed') !== moved.has(txHash)) violations.push(`the faucet send ${txHash} is ${status}`)
}
