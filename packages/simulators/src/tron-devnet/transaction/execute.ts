import { uintWord, type Log } from '../token/abi.ts'
import { energyLimit, exists, payBandwidth, payEnergy, prices } from '../account/accounts.ts'
import type { Address } from '../account/address.ts'
import type { Script, TransactionResult } from './script.ts'
import type { State } from '../state.ts'
import { callToken, revertEnergy } from '../token/token-calls.ts'
import { moveTokens, Revert, type CallResult, type TokenInfo } from '../token/token.ts'
import { sizeOf, type Transaction, type TriggerCall } from './transaction.ts'

/** Result and costs of a transaction, in sun. */
export type Receipt = {
  /** Null for the genesis block's transfer, which runs no contract. */
  readonly result: TransactionResult | null
  readonly answer: string
  readonly message: string
  readonly logs: readonly Log[]
  readonly feeSun: number
  readonly netUsage: number
  readonly netFeeSun: number
  readonly energyUsage: number
  readonly energyFeeSun: number
  readonly energyTotal: number
}

/** The transaction is invalid in the current state. */
export class Invalid extends Error {
  override readonly name = 'Invalid'
  readonly code: 'CONTRACT_VALIDATE_ERROR' | 'BANDWITH_ERROR'
  constructor(code: Invalid['code'], message: string) {
    super(message)
    this.code = code
  }
}

export type Tokens = ReadonlyMap<Address, TokenInfo>

/**
 * Executes a transaction in a block of this time. Transactions of the devnet's controls are free, so
 * tests need no TRX for them.
 *
 * @throws Invalid, without a change of the state
 */
export function execute(state: State, tokens: Tokens, tx: Transaction, time: number): Receipt {
  const start = state.mark()
  try {
    const { call } = tx.raw
    if (call.type !== 'TriggerSmartContract') throw invalid('the devnet only calls contracts')
    return trigger(state, tokens, tx, call, time)
  } catch (error) {
    state.revertTo(start)
    throw error
  }
}

const invalid = (message: string): Invalid => new Invalid('CONTRACT_VALIDATE_ERROR', message)
const isFree = (tx: Transaction): boolean => tx.signatures.length === 0

/** @throws Invalid if the account cannot pay for the bytes */
function bandwidth(state: State, tx: Transaction, time: number): { usage: number; feeSun: number } {
  const bytes = sizeOf(tx)
  if (isFree(tx)) return { usage: bytes, feeSun: 0 }
  const { owner } = tx.raw.call
  if (!exists(state, owner)) throw invalid('account does not exist')
  const paid = payBandwidth(state, owner, bytes, time)
  if (!paid) throw new Invalid('BANDWITH_ERROR', 'Account resource insufficient error.')
  return paid
}

function trigger(state: State, tokens: Tokens, tx: Transaction, call: TriggerCall, time: number): Receipt {
  const { owner } = call
  const { feeLimitSun } = tx.raw
  if (!tx.script && !tokens.has(call.contract)) throw invalid('No contract or not a smart contract')
  if (feeLimitSun > prices.feeLimitMaxSun) throw invalid(`feeLimit must be >= 0 and <= ${prices.feeLimitMaxSun}`)
  const net = bandwidth(state, tx, time)
  const limit = isFree(tx) ? Infinity : energyLimit(state, owner, feeLimitSun, time)
  const start = state.mark()
  const ran = runCall(state, tokens, call, tx.script)
  const within = ran.energy <= limit ? ran : outOfEnergy(limit)
  if (within.result !== 'SUCCESS') state.revertTo(start)
  // A failed assert uses up all energy.
  const isAssert = within.result === 'ILLEGAL_OPERATION' && limit < Infinity
  const energy = isAssert ? limit : within.energy
  const paid = isFree(tx) ? { usage: energy, feeSun: 0 } : payEnergy(state, owner, energy, time)
  const { result, answer, message, logs } = within
  return {
    result,
    answer,
    message,
    logs,
    feeSun: net.feeSun + paid.feeSun,
    netUsage: net.usage,
    netFeeSun: net.feeSun,
    energyUsage: paid.usage,
    energyFeeSun: paid.feeSun,
    energyTotal: energy,
  }
}

/** Result of a call before its energy is paid. */
export type CallOutcome = Pick<Receipt, 'answer' | 'message' | 'logs'> & {
  readonly result: TransactionResult
  readonly energy: number
}

const outOfEnergy = (limit: number): CallOutcome => ({
  result: 'OUT_OF_ENERGY',
  answer: '',
  message: failureMessages.OUT_OF_ENERGY,
  logs: [],
  energy: limit,
})

/** Runs a call. The caller reverts the state of a failed one. */
export function runCall(
  state: State,
  tokens: Tokens,
  call: Pick<TriggerCall, 'owner' | 'contract' | 'callValueSun' | 'data'>,
  script: Script | null = null,
): CallOutcome {
  try {
    const ran = script ? runScript(state, tokens, script) : callContract(state, tokens, call)
    const result = script?.result ?? 'SUCCESS'
    return result === 'SUCCESS'
      ? { ...ran, result, message: '' }
      : { result, answer: '', logs: [], energy: ran.energy, message: failureMessages[result] }
  } catch (error) {
    if (!(error instanceof Revert)) throw error
    const isAssert = error.isArithmetic && tokens.get(call.contract)?.asserts === true
    const result = isAssert ? 'ILLEGAL_OPERATION' : 'REVERT'
    const message = failureMessages[result]
    return { result, answer: '', message, logs: [], energy: revertEnergy }
  }
}

const failureMessages = {
  REVERT: 'REVERT opcode executed',
  OUT_OF_ENERGY: `Not enough energy for 'SSTORE' operation executing`,
  OUT_OF_TIME: 'CPU timeout for 0x0a executing',
  ILLEGAL_OPERATION: 'Invalid operation code: opCode[fe];',
} as const

function callContract(
  state: State,
  tokens: Tokens,
  { owner, contract, callValueSun, data }: Parameters<typeof runCall>[2],
): CallResult {
  const token = tokens.get(contract)
  if (!token || callValueSun > 0) throw new Revert('not payable')
  return callToken(state, token, owner, data)
}

/** Energy per log of a script, about that of a transfer to a holder. */
const logEnergy = 64_285

function runScript(state: State, tokens: Tokens, script: Script): CallResult {
  const logs: Log[] = []
  for (const { token, from, to, value } of script.transfers) {
    const info = tokens.get(token)
    if (!info) throw new Revert('no such token')
    logs.push(...moveTokens(state, info, from, to, value).logs)
  }
  logs.push(...script.logs)
  return { answer: uintWord(1n), logs, energy: Math.max(1, logs.length) * logEnergy }
}
