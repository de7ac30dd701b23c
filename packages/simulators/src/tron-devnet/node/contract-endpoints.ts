import { z } from 'zod'
import { selectorOf } from '../token/abi.ts'
import { runCall, type CallOutcome } from '../transaction/execute.ts'
import type { NodeRequest, Endpoint, NodeContext } from './endpoint.ts'
import { createState } from '../state.ts'
import { readAddress, unsignedJson } from './transaction-json.ts'
import { transactionOf, type Transaction, type TriggerCall } from '../transaction/transaction.ts'

const Hex = z
  .string()
  .regex(/^([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase())
const Int = z.int().min(0)

const TriggerBody = z.object({
  owner_address: z.string(),
  contract_address: z.string(),
  function_selector: z.string().optional(),
  parameter: Hex.default(''),
  data: Hex.optional(),
  call_value: Int.default(0),
  fee_limit: Int.default(0),
})
const Value = z.object({ value: z.string() })

const hexText = (text: string): string => Buffer.from(text).toString('hex')
const failed = (code: string, message: string): unknown => ({ result: { code, message: hexText(message) } })
const noContract = 'Contract validate error : No contract or not a smart contract'

function triggerOf({ body }: NodeRequest): { call: TriggerCall; feeLimitSun: number } {
  const trigger = TriggerBody.parse(body)
  const { function_selector, parameter, data = '' } = trigger
  return {
    call: {
      type: 'TriggerSmartContract',
      owner: readAddress(trigger.owner_address),
      contract: readAddress(trigger.contract_address),
      callValueSun: trigger.call_value,
      data: function_selector === undefined ? data : selectorOf(function_selector) + parameter,
    },
    feeLimitSun: trigger.fee_limit,
  }
}

/** Builds a transaction that references the node's newest block, at the time of its clock. */
function built({ now }: NodeContext, { view: { head } }: NodeRequest, call: TriggerCall, feeLimitSun = 0): Transaction {
  return transactionOf({
    refBlockBytes: head.id.slice(12, 16),
    refBlockHash: head.id.slice(16, 32),
    expiration: head.timestamp + 60_000,
    timestamp: now(),
    feeLimitSun,
    memo: '',
    permissionId: 0,
    call,
  })
}

/** Runs a call on the state of the view without changing it. */
const tryCall = ({ chain }: NodeContext, { view }: NodeRequest, call: TriggerCall): CallOutcome =>
  runCall(createState(view.read), chain.tokens, call)

/** Endpoints that simulate calls and build transactions. They do not change the chain. */
export const contractEndpoints: Readonly<Record<string, Endpoint>> = {
  triggerconstantcontract(context, request) {
    const { call } = triggerOf(request)
    if (!context.chain.tokens.has(call.contract)) return failed('CONTRACT_VALIDATE_ERROR', noContract)
    const ran = tryCall(context, request, call)
    if (ran.result === 'ILLEGAL_OPERATION')
      return failed('OTHER_ERROR', `class org.tron.core.vm.program.Program$IllegalOperationException : ${ran.message}`)
    const reverted = ran.result !== 'SUCCESS'
    return {
      result: { result: true, ...(reverted && { message: hexText(ran.message) }) },
      energy_used: ran.energy,
      constant_result: [ran.answer],
      transaction: { ret: [reverted ? { ret: 'FAILED' } : {}], ...unsignedJson(built(context, request, call)) },
    }
  },

  triggersmartcontract(context, request) {
    const { call, feeLimitSun } = triggerOf(request)
    if (!context.chain.tokens.has(call.contract)) return failed('CONTRACT_VALIDATE_ERROR', noContract)
    const transaction = unsignedJson(built(context, request, call, feeLimitSun))
    return { result: { result: true }, transaction: { visible: false, ...transaction } }
  },

  getcontract({ chain }, { body }) {
    const token = chain.tokens.get(readAddress(Value.parse(body).value))
    return token ? { origin_address: token.owner, contract_address: token.contract, name: token.name } : {}
  },
}
