import { z } from 'zod'
import type { Route } from '../../json-server.ts'
import type { BuildRoute } from './chain-routes.ts'
import type { ChainControls } from './controls.ts'
import { transactionResults } from '../transaction/script.ts'

const text = z.string().optional()
const flag = z.boolean().optional()
const count = z.int().min(0).optional()
const Whole = z.string().regex(/^\d+$/).transform(BigInt)
const Hex = z.string().regex(/^([0-9a-f]{2})*$/)
const FundBody = z.strictObject({ address: z.string(), sun: z.exactOptional(Whole), energy: z.exactOptional(z.int()) })
const BalanceBody = z.strictObject({ address: z.string(), value: Whole, token: text })
const BlacklistBody = z.strictObject({ address: z.string(), listed: flag, token: text })
const PauseBody = z.strictObject({ paused: flag, token: text }).default({})
const TokenFeeBody = z.strictObject({ rate: Whole, max: Whole, token: text })
const EnergyPriceBody = z.strictObject({ sun: z.int().min(1) })
const TokenBody = z
  .strictObject({
    name: z.exactOptional(z.string()),
    symbol: z.exactOptional(z.string()),
    decimals: z.exactOptional(z.int()),
    asserts: z.exactOptional(z.boolean()),
    owner: z.exactOptional(z.string()),
  })
  .default({})
const TransferBody = z.strictObject({ from: z.string(), to: z.string(), value: Whole, token: text })
const CallBody = z.strictObject({
  method: z.string(),
  args: z.array(z.union([Whole, z.string()])).optional(),
  from: text,
  token: text,
  expires_in_ms: count,
})
const ScriptBody = z.strictObject({
  from: text,
  contract: text,
  transfers: z.array(TransferBody).optional(),
  logs: z
    .array(
      z.union([TransferBody, z.strictObject({ contract: text, topics: z.array(z.string()), data: Hex.optional() })]),
    )
    .optional(),
  result: z.enum(transactionResults).optional(),
  expires_in_ms: count,
})

export function stateRoutes(controls: ChainControls, post: BuildRoute): Route[] {
  return [
    post('fund', ({ body }) => {
      const { address, ...grant } = FundBody.parse(body)
      controls.fund(address, grant)
    }),
    post('token-balance', ({ body }) => {
      const { address, value, token } = BalanceBody.parse(body)
      controls.setTokenBalance(address, value, token)
    }),
    post('blacklist', ({ body }) => {
      const { address, listed, token } = BlacklistBody.parse(body)
      controls.blacklist(address, listed, token)
    }),
    post('pause', ({ body }) => {
      const { paused, token } = PauseBody.parse(body)
      controls.pause(paused, token)
    }),
    post('token-fee', ({ body }) => {
      const { token, ...fee } = TokenFeeBody.parse(body)
      controls.setTokenFee(fee, token)
    }),
    post('energy-price', ({ body }) => controls.setEnergyPrice(EnergyPriceBody.parse(body).sun)),
    post('tokens', ({ body }) => ({ contract: controls.deployToken(TokenBody.parse(body)) })),
  ]
}

export function transactionRoutes(controls: ChainControls, post: BuildRoute): Route[] {
  return [
    post('transfer', ({ body }) => ({ txid: controls.transfer(TransferBody.parse(body)) })),
    post('call', ({ body }) => {
      const { method, args, expires_in_ms, ...as } = CallBody.parse(body)
      return { txid: controls.call(method, args, { ...as, expiresInMs: expires_in_ms }) }
    }),
    post('script', ({ body }) => {
      const { expires_in_ms, ...script } = ScriptBody.parse(body)
      return { txid: controls.scriptTx({ ...script, expiresInMs: expires_in_ms }) }
    }),
  ]
}
