import { argumentWords, selectorOf, stringAnswer, topicOf, uintWord, wordAddress, wordUint, type Log } from './abi.ts'
import type { Address } from '../account/address.ts'
import type { Cells } from '../state.ts'
import {
  balanceKey,
  blacklistKey,
  deprecatedKey,
  feeMaxKey,
  feeRateKey,
  moveTokens,
  pausedKey,
  Revert,
  upgradedKey,
  type CallResult,
  type TokenInfo,
} from './token.ts'

type Call = {
  readonly cells: Cells
  readonly token: TokenInfo
  readonly caller: Address
  readonly words: readonly string[]
}

type MethodResult = { readonly answer?: string; readonly logs?: readonly Log[]; readonly energy?: number }

type Method = { readonly arity: number; readonly view: boolean; run(call: Call): MethodResult }

const key = ({ token }: Call, name: string): string => `${token.contract}/${name}`

const viewEnergy = 541
const writeEnergy = 22_000
/** Energy of a call that reverts. */
export const revertEnergy = 2_881

/** Runs a call of the token. @throws Revert; the caller then reverts the state */
export function callToken(cells: Cells, token: TokenInfo, caller: Address, data: string): CallResult {
  const method = methods.get(data.slice(0, 8))
  if (!method) throw new Revert('no such function')
  const result = method.run({ cells, token, caller, words: argumentWords(data, method.arity) })
  return {
    answer: result.answer ?? '',
    logs: result.logs ?? [],
    energy: result.energy ?? (method.view ? viewEnergy : writeEnergy),
  }
}

const word = (call: Call, i: number): string => call.words[i] ?? uintWord(0n)
const address = (call: Call, i: number): Address => wordAddress(word(call, i))
const uint = (call: Call, i: number): bigint => wordUint(word(call, i))

function mayMove(call: Call, from: Address): void {
  if (call.cells.get(pausedKey(call.token.contract)) !== 0n) throw new Revert('paused')
  if (call.cells.get(blacklistKey(call.token.contract, from)) !== 0n) throw new Revert('blacklisted')
}

function event(call: Call, signature: string, indexed: readonly string[], data: string): Log {
  return { contract: call.token.contract, topics: [topicOf(signature), ...indexed], data }
}

function byOwner(run: (call: Call) => Log): Method['run'] {
  return (call) => {
    if (call.caller !== call.token.owner) throw new Revert('not the owner')
    return { logs: [run(call)] }
  }
}

function setPaused(value: bigint, name: string): Method['run'] {
  return byOwner((call) => {
    const at = pausedKey(call.token.contract)
    if (call.cells.get(at) === value) throw new Revert('unchanged')
    call.cells.set(at, value)
    return event(call, `${name}()`, [], '')
  })
}

function setBlacklisted(value: bigint, name: string): Method['run'] {
  return byOwner((call) => {
    call.cells.set(blacklistKey(call.token.contract, address(call, 0)), value)
    return event(call, `${name}(address)`, [word(call, 0)], '')
  })
}

function transferFrom(call: Call): MethodResult {
  const [from, to, value] = [address(call, 0), address(call, 1), uint(call, 2)]
  mayMove(call, from)
  // A value of 0 needs no allowance, so anyone can log a `Transfer` from any address.
  if (value > 0n) throw new Revert('allowance too small')
  return moveTokens(call.cells, call.token, from, to, value)
}

function setParams(call: Call): Log {
  if (uint(call, 0) > 10_000n) throw new Revert('rate above 100%')
  call.cells.set(feeRateKey(call.token.contract), uint(call, 0))
  call.cells.set(feeMaxKey(call.token.contract), uint(call, 1))
  return event(call, 'Params(uint256,uint256)', [], word(call, 0) + word(call, 1))
}

function deprecate(call: Call): Log {
  call.cells.set(deprecatedKey(call.token.contract), 1n)
  call.cells.set(upgradedKey(call.token.contract), wordUint(word(call, 0)))
  return event(call, 'Deprecate(address)', [], word(call, 0))
}

const cell = (name: string) => (call: Call) => call.cells.get(key(call, name))
const view =
  (read: (call: Call) => bigint | string): Method['run'] =>
  (call) => {
    const value = read(call)
    return { answer: typeof value === 'bigint' ? uintWord(value) : value }
  }

const views: Readonly<Record<string, Method['run']>> = {
  'name()': view(({ token }) => stringAnswer(token.name)),
  'symbol()': view(({ token }) => stringAnswer(token.symbol)),
  'decimals()': view(({ token }) => BigInt(token.decimals)),
  'balanceOf(address)': view((call) => call.cells.get(balanceKey(call.token.contract, address(call, 0)))),
  'isBlackListed(address)': view((call) => call.cells.get(blacklistKey(call.token.contract, address(call, 0)))),
  'paused()': view(cell('paused')),
  'deprecated()': view(cell('deprecated')),
  'basisPointsRate()': view(cell('feeRate')),
  'maximumFee()': view(cell('feeMax')),
}

const writes: Readonly<Record<string, Method['run']>> = {
  'transfer(address,uint256)': (call) => {
    mayMove(call, call.caller)
    return moveTokens(call.cells, call.token, call.caller, address(call, 0), uint(call, 1))
  },
  'transferFrom(address,address,uint256)': transferFrom,
  'pause()': setPaused(1n, 'Pause'),
  'unpause()': setPaused(0n, 'Unpause'),
  'addBlackList(address)': setBlacklisted(1n, 'AddedBlackList'),
  'removeBlackList(address)': setBlacklisted(0n, 'RemovedBlackList'),
  'setParams(uint256,uint256)': byOwner(setParams),
  'deprecate(address)': byOwner(deprecate),
}

const method =
  (view: boolean) =>
  ([signature, run]: [string, Method['run']]): [string, Method] => [
    selectorOf(signature),
    { arity: signature.endsWith('()') ? 0 : signature.split(',').length, view, run },
  ]
const methods = new Map([...Object.entries(views).map(method(true)), ...Object.entries(writes).map(method(false))])
