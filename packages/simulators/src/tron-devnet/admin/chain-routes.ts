import { z } from 'zod'
import type { Call, Route } from '../../json-server.ts'
import { toBase58 } from '../account/address.ts'
import type { ChainControls } from './controls.ts'
import { usdt, type Devnet } from '../devnet.ts'

/** Builds a route from its path and action. */
export type BuildRoute = (path: string, act: (call: Call) => unknown) => Route

const flag = z.boolean().optional()
const count = z.int().min(0).optional()
const MineBody = z.strictObject({ count, empty: flag }).default({})
const ForkBody = z.strictObject({
  depth: z.int().min(0),
  drop: z.union([z.literal('all'), z.array(z.string())]).optional(),
  blocks: count,
  into: z.int().min(0).nullable().optional(),
  reverse: flag,
})
const StallBody = z.strictObject({ stalled: flag }).default({})
const ForgetBody = z.strictObject({ txids: z.array(z.string()).optional() }).default({})
const LevelText = z.enum(['head', 'solid']).optional()

const chainJson = ({ chain }: Devnet, controls: ChainControls): unknown => ({
  head: controls.head('head'),
  solid: controls.head('solid'),
  pending: [...chain.pending.keys()],
  token_contract: toBase58(usdt.contract),
})

export function chainRoutes(devnet: Devnet, controls: ChainControls, post: BuildRoute): Route[] {
  const change = (path: string, act: (body: unknown) => unknown): Route =>
    post(path, ({ body }) => {
      act(body)
      return chainJson(devnet, controls)
    })
  return [
    change('mine', (body) => {
      const { count, ...options } = MineBody.parse(body)
      controls.mine(count, options)
    }),
    change('fork', (body) => {
      const { depth, ...request } = ForkBody.parse(body)
      controls.fork(depth, request)
    }),
    change('restart', () => controls.restart()),
    change('stall-solid', (body) => controls.stallSolid(StallBody.parse(body).stalled)),
    change('forget', (body) => controls.forget(ForgetBody.parse(body).txids)),
  ]
}

export function readRoutes(devnet: Devnet, controls: ChainControls, get: BuildRoute): Route[] {
  const levelOf = ({ query }: Call) => LevelText.parse(query.get('level') ?? undefined)
  return [
    get('chain', () => chainJson(devnet, controls)),
    get('transfers', (call) => controls.transfers(levelOf(call))),
    get('balance', (call) => {
      const address = call.query.get('address') ?? ''
      const level = levelOf(call)
      const token = call.query.get('token') ?? undefined
      return { token: controls.tokenBalance(address, level, token), sun: controls.trxBalance(address, level) }
    }),
  ]
}
