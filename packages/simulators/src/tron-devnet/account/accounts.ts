import type { Address } from './address.ts'
import type { Cells } from '../chain/state.ts'

/** What the network charges; amounts in sun. */
export const prices = {
  bandwidthSun: 1_000,
  /** Of one unit of energy, until `energyPriceKey` says otherwise. */
  energySun: 100,
  createAccountBandwidthSun: 100_000,
  createAccountSun: 1_000_000,
  freeBandwidth: 600,
  feeLimitMaxSun: 15_000_000_000,
} as const

/** When the account came to be, in ms; an account that never was holds nothing and can pay nothing. */
export const createdKey = (who: Address): string => `${who}/created`
export const trxKey = (who: Address): string => `${who}/trx`
/** How much energy its stake gives it a day. */
export const energyKey = (who: Address): string => `${who}/energy`
export const energyPriceKey = 'energyPrice'

export type Resource = 'energy' | 'bandwidth'

const dayMs = 86_400_000n

/** How much is still used up at this time: what was used comes back evenly over a day. */
export function usedAt(
  read: (key: string) => bigint,
  who: Address,
  resource: Resource,
  time: number,
): number {
  const used = read(`${who}/${resource}/used`)
  const past = BigInt(time) - read(`${who}/${resource}/at`)
  return past >= dayMs ? 0 : toInt((used * (dayMs - past)) / dayMs)
}

function use(cells: Cells, who: Address, resource: Resource, units: number, time: number): void {
  const used = usedAt(cells.get, who, resource, time) + units
  cells.set(`${who}/${resource}/used`, BigInt(used))
  cells.set(`${who}/${resource}/at`, BigInt(time))
}

/** Takes TRX; false when there is not enough. */
export function takeTrx(cells: Cells, who: Address, sun: number): boolean {
  const rest = cells.get(trxKey(who)) - BigInt(sun)
  if (rest >= 0n && sun > 0) cells.set(trxKey(who), rest)
  return rest >= 0n
}

export function giveTrx(cells: Cells, who: Address, sun: number): void {
  cells.set(trxKey(who), cells.get(trxKey(who)) + BigInt(sun))
}

export const exists = (cells: Cells, who: Address): boolean => cells.get(createdKey(who)) !== 0n

/** Pays for bytes, from the free allowance or in TRX; null when it can do neither. */
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

export const energyPrice = (read: (key: string) => bigint): number =>
  toInt(read(energyPriceKey)) || prices.energySun

const staked = (cells: Cells, who: Address, time: number): number =>
  Math.max(0, toInt(cells.get(energyKey(who))) - usedAt(cells.get, who, 'energy', time))

/** The energy that a call may use: what its owner has and can buy, within the fee limit. */
export function energyLimit(cells: Cells, who: Address, feeLimitSun: number, time: number): number {
  const price = energyPrice(cells.get)
  const bought = toInt(cells.get(trxKey(who)) / BigInt(price))
  return Math.min(staked(cells, who, time) + bought, Math.floor(feeLimitSun / price))
}

/** Pays for energy within the limit: from the stake first, the rest in TRX. */
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

/** For JSON. @throws RangeError above 2^53, where JSON would lie */
export function toInt(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`${value} is above 2^53.`)
  return Number(value)
}
