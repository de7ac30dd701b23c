import type { Address } from './address.ts'
import type { Cells } from '../state.ts'

/** Prices of the network, in sun. */
export const prices = {
  bandwidthSun: 1_000,
  /** Price of one unit of energy, unless `energyPriceKey` is set. */
  energySun: 100,
  freeBandwidth: 600,
  feeLimitMaxSun: 15_000_000_000,
} as const

/** Creation time of the account in ms; 0 if it does not exist, and then it cannot pay. */
export const createdKey = (who: Address): string => `${who}/created`
export const trxKey = (who: Address): string => `${who}/trx`
/** Daily energy from the account's stake. */
export const energyKey = (who: Address): string => `${who}/energy`
export const energyPriceKey = 'energyPrice'

export type Resource = 'energy' | 'bandwidth'

const dayMs = 86_400_000n

/** Used units at this time. Used units recover linearly within a day. */
export function usedAt(read: (key: string) => bigint, who: Address, resource: Resource, time: number): number {
  const used = read(`${who}/${resource}/used`)
  const past = BigInt(time) - read(`${who}/${resource}/at`)
  return past >= dayMs ? 0 : toInt((used * (dayMs - past)) / dayMs)
}

function use(cells: Cells, who: Address, resource: Resource, units: number, time: number): void {
  const used = usedAt(cells.get, who, resource, time) + units
  cells.set(`${who}/${resource}/used`, BigInt(used))
  cells.set(`${who}/${resource}/at`, BigInt(time))
}

/** Takes TRX. @returns false if the balance is too low */
function takeTrx(cells: Cells, who: Address, sun: number): boolean {
  const rest = cells.get(trxKey(who)) - BigInt(sun)
  if (rest >= 0n && sun > 0) cells.set(trxKey(who), rest)
  return rest >= 0n
}

export const exists = (cells: Cells, who: Address): boolean => cells.get(createdKey(who)) !== 0n

/** Pays for bytes from the free allowance or in TRX. @returns null if neither suffices */
export function payBandwidth(
  cells: Cells,
  who: Address,
  bytes: number,
  time: number,
): { readonly usage: number; readonly feeSun: number } | null {
  if (usedAt(cells.get, who, 'bandwidth', time) + bytes <= prices.freeBandwidth) {
    use(cells, who, 'bandwidth', bytes, time)
    return { usage: bytes, feeSun: 0 }
  }
  const feeSun = bytes * prices.bandwidthSun
  return takeTrx(cells, who, feeSun) ? { usage: 0, feeSun } : null
}

export const energyPrice = (read: (key: string) => bigint): number => toInt(read(energyPriceKey)) || prices.energySun

const staked = (cells: Cells, who: Address, time: number): number =>
  Math.max(0, toInt(cells.get(energyKey(who))) - usedAt(cells.get, who, 'energy', time))

/** Energy limit of a call: staked energy and energy that the owner can buy, within the fee limit. */
export function energyLimit(cells: Cells, who: Address, feeLimitSun: number, time: number): number {
  const price = energyPrice(cells.get)
  const bought = toInt(cells.get(trxKey(who)) / BigInt(price))
  return Math.min(staked(cells, who, time) + bought, Math.floor(feeLimitSun / price))
}

/** Pays for energy within the limit, first from the stake, then in TRX. */
export function payEnergy(
  cells: Cells,
  who: Address,
  energy: number,
  time: number,
): { readonly usage: number; readonly feeSun: number } {
  const usage = Math.min(energy, staked(cells, who, time))
  if (usage > 0) use(cells, who, 'energy', usage, time)
  const feeSun = (energy - usage) * energyPrice(cells.get)
  takeTrx(cells, who, feeSun)
  return { usage, feeSun }
}

/** Converts for JSON. @throws RangeError above 2^53, where JSON loses precision */
export function toInt(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`${value} is above 2^53.`)
  return Number(value)
}
