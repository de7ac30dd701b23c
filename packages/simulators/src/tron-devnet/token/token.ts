import { transferLog, uintWord, type Log, wordAddress } from './abi.ts'
import type { Address } from '../account/address.ts'
import type { Cells } from '../state.ts'

/** Contract, names and owner of a token. */
export type TokenInfo = {
  readonly contract: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly owner: Address
  /** Whether its arithmetic ends in a failed assert, and not in a revert. */
  readonly asserts?: boolean
}

/** Ends a contract call, whose changes are then reverted. */
export class Revert extends Error {
  override readonly name = 'Revert'
  /** Whether arithmetic failed, which some tokens assert. */
  readonly isArithmetic: boolean
  constructor(message: string, isArithmetic = false) {
    super(message)
    this.isArithmetic = isArithmetic
  }
}

/** Result of a call. `answer` is ABI-encoded, in hex. */
export type CallResult = { readonly answer: string; readonly logs: readonly Log[]; readonly energy: number }

/** Maximum of a uint256. */
const uintMax: bigint = 2n ** 256n - 1n

export const balanceKey = (token: Address, holder: Address): string => `${token}/balance/${holder}`
export const blacklistKey = (token: Address, who: Address): string => `${token}/blacklist/${who}`
export const feeRateKey = (token: Address): string => `${token}/feeRate`
export const feeMaxKey = (token: Address): string => `${token}/feeMax`
export const pausedKey = (token: Address): string => `${token}/paused`
export const deprecatedKey = (token: Address): string => `${token}/deprecated`
/** The contract that has replaced a deprecated one. */
export const upgradedKey = (token: Address): string => `${token}/upgraded`
/** Energy of a transfer to a holder and to an empty address, measured on the main network. */
const transferEnergy = { toHolder: 64_285, toEmpty: 130_285 } as const

const trueWord = uintWord(1n)

/** Moves tokens less the token's fee, which goes to its owner. @throws Revert */
export function moveTokens(cells: Cells, token: TokenInfo, from: Address, to: Address, value: bigint): CallResult {
  const { contract, owner } = token
  if (/^410{40}$/.test(to)) throw new Revert('to the zero address')
  const fee = feeOf(cells, contract, value)
  const before = cells.get(balanceKey(contract, to))
  take(cells, contract, from, value)
  give(cells, contract, to, value - fee)
  // A deprecated contract forwards to its successor, which logs under its own address.
  const isDeprecated = cells.get(deprecatedKey(contract)) !== 0n
  const logging = isDeprecated ? wordAddress(uintWord(cells.get(upgradedKey(contract)))) : contract
  const logs = [transferLog(logging, from, to, value - fee)]
  if (fee > 0n) {
    give(cells, contract, owner, fee)
    logs.push(transferLog(logging, from, owner, fee))
  }
  return { answer: trueWord, logs, energy: transferEnergy[before === 0n ? 'toEmpty' : 'toHolder'] }
}

function feeOf(cells: Cells, contract: Address, value: bigint): bigint {
  const parts = value * cells.get(feeRateKey(contract))
  if (parts > uintMax) throw new Revert('overflow', true)
  const fee = parts / 10_000n
  const max = cells.get(feeMaxKey(contract))
  return fee > max ? max : fee
}

function take(cells: Cells, contract: Address, from: Address, value: bigint): void {
  const at = balanceKey(contract, from)
  const balance = cells.get(at)
  if (balance < value) throw new Revert('balance too small', true)
  cells.set(at, balance - value)
}

function give(cells: Cells, contract: Address, to: Address, value: bigint): void {
  const at = balanceKey(contract, to)
  const balance = cells.get(at) + value
  if (balance > uintMax) throw new Revert('balance too large', true)
  cells.set(at, balance)
}
