import { Unavailable } from '@quipu/core'
import type { ChainAccount } from '@quipu/core/adapter'
import type { SweepQuote } from '@quipu/core/operator'
import { z } from 'zod'
import { toHexAddress } from '../address/address.ts'
import { accountWord, numberWord, readNumber, simulateCall } from '../token/token-calls.ts'
import type { TronNode } from '../node/tron-node.ts'

const Sun = z
  .int()
  .min(0)
  .default(0)
  .transform((value) => BigInt(value))

const Parameters = z.object({ chainParameter: z.array(z.object({ key: z.string(), value: z.number().default(0) })) })
/** Empty for an account that never got TRX. */
const Resources = z.object({
  freeNetUsed: Sun,
  freeNetLimit: Sun,
  NetUsed: Sun,
  NetLimit: Sun,
  EnergyUsed: Sun,
  EnergyLimit: Sun,
})
const Balance = z.object({ balance: Sun })

export type FeeRequest = {
  readonly token: ChainAccount
  readonly from: ChainAccount
  readonly to: ChainAccount
  readonly minor: bigint
  readonly feeLimitMax: bigint
}

/** Upper bound of a signed TRC-20 transfer, which has about 345 bytes. */
const transferBytes = 400n

/** The default of `feeLimitMax`: 100 TRX. */
export const feeLimitMaxDefault = 100_000_000n

/** A transfer's cost, or that it moves nothing. `quote.feeLimit` is below its `energyFee` when that exceeds the maximum. */
export type TransferCost =
  /** The balance was read, and is too small. */
  | { readonly type: 'insufficient' }
  | { readonly type: 'reverts' }
  | { readonly type: 'moves'; readonly quote: SweepQuote }

/**
 * The present fee of a transfer. The fee limit is 30% above a simulation, because a transfer that runs out of energy
 * burns its fee and moves nothing.
 */
export async function transferCost(
  node: TronNode,
  { token, from, to, minor, feeLimitMax }: FeeRequest,
): Promise<TransferCost> {
  const address = toHexAddress(from)
  const ofFrom = { contract: token, method: 'balanceOf(address)', words: [accountWord(from)] }
  const balance = await readNumber(node, 'head', ofFrom)
  if (balance === undefined) return { type: 'reverts' }
  if (balance < minor) return { type: 'insufficient' }
  const [simulated, prices, resources, account] = await Promise.all([
    simulateCall(node, 'head', {
      contract: token,
      method: 'transfer(address,uint256)',
      words: [accountWord(to), numberWord(minor)],
      caller: from,
    }),
    readPrices(node),
    node.request('head', 'getaccountresource', { address }, Resources),
    node.request('head', 'getaccount', { address }, Balance),
  ])
  if (simulated.type === 'reverted') return { type: 'reverts' }
  const { energy } = simulated
  if (energy === 0n) throw new Unavailable('chain', 'the simulated transfer uses no energy')
  const energyFee = energy * prices.energy
  const feeLimit = smaller((energyFee * 13n) / 10n, feeLimitMax)
  const ownEnergy = positive(resources.EnergyLimit - resources.EnergyUsed)
  const burned = positive(feeLimit - ownEnergy * prices.energy)
  const trxNeeded = burned + bandwidthFee(resources, prices.bandwidth)
  const trxMissing = positive(trxNeeded - account.balance)
  return { type: 'moves', quote: { energy, energyFee, feeLimit, trxNeeded, trxMissing } }
}

/**
 * The fee limit of a transfer in sun.
 *
 * @returns `insufficient` if the tokens, or TRX and energy, do not suffice; `refused` if the simulation reverts, or
 *   costs more than `feeLimitMax`
 */
export async function feeLimitFor(node: TronNode, request: FeeRequest): Promise<bigint | 'insufficient' | 'refused'> {
  const cost = await transferCost(node, request)
  if (cost.type !== 'moves') return cost.type === 'insufficient' ? 'insufficient' : 'refused'
  const { energyFee, feeLimit, trxMissing } = cost.quote
  if (energyFee > request.feeLimitMax) return 'refused'
  return trxMissing > 0n ? 'insufficient' : feeLimit
}

type Prices = { readonly energy: bigint; readonly bandwidth: bigint }

/** Prices in sun of one unit of energy and of one byte. */
async function readPrices(node: TronNode): Promise<Prices> {
  const { chainParameter } = await node.request('head', 'getchainparameters', {}, Parameters)
  const price = (name: string): bigint => {
    const { value = 0 } = chainParameter.find(({ key }) => key === name) ?? {}
    if (Number.isSafeInteger(value) && value > 0) return BigInt(value)
    throw new Unavailable('chain', `getchainparameters: no ${name}`)
  }
  return { energy: price('getEnergyFee'), bandwidth: price('getTransactionFee') }
}

/** Zero if one of the two allowances covers the transfer. */
function bandwidthFee(resources: z.output<typeof Resources>, price: bigint): bigint {
  const { NetLimit, NetUsed, freeNetLimit, freeNetUsed } = resources
  const isCovered = NetLimit - NetUsed >= transferBytes || freeNetLimit - freeNetUsed >= transferBytes
  return isCovered ? 0n : transferBytes * price
}

const positive = (value: bigint): bigint => (value > 0n ? value : 0n)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
