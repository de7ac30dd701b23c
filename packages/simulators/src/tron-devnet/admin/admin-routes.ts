/**
 * The admin port moves the chain and injects faults into its first node; a program in the same process has every control. It
 * has no token, so bind it to loopback; it refuses requests that a web page can send. Bodies and answers are JSON, and every
 * `POST` needs `Content-Type: application/json`, also without a body. Addresses are `T…` or `41…` in hex; amounts are
 * integers of the smallest unit (micro-USDT) as strings.
 *
 * - `POST /dev/mine {count?, empty?}` — mines blocks; the first has the pending transactions, unless `empty`. `GET /dev/chain`
 *   — `{head, solid, pending: [txid], token_contract}`; mining and forking answer the same.
 * - `POST /dev/fork {depth, drop?, blocks?, into?, reverse?}` — replaces the newest blocks by `blocks` others (one more by
 *   default). `drop`: `"all"` or the ids of transactions to remove; the others are in the new block `into` (0; null for none),
 *   in reverse order if `reverse`. 409 if a solid block would be replaced.
 * - `POST /dev/token-balance {address, value, token?}` — sets a balance on every fork, without a log.
 * - `POST /dev/transfer {from, to, value, token?}` — a new pending transaction, which needs no key or TRX: `{txid}`.
 * - `POST /dev/faults {faults: [{kind, …, on?, where?, after?, every?, times?}]}` — adds faults and answers all. `on`: an
 *   endpoint; `where`: members of the request; `after`: number of matching requests to skip; `every`: only each n-th match;
 *   `times`: number of faults in all. `DELETE /dev/faults` clears them and releases hanging requests.
 *   - `{kind: "status", status}` (403, 429, 503)
 *   - `{kind: "busy"}`: 200 with the error of a node's limiter; `{kind: "empty"}`: 200 with `{}` or `[]`;
 *     `{kind: "text", text}`: 200 without JSON
 *   - `{kind: "refuse", code}`: a broadcast is answered with this code and not accepted
 *   - `{kind: "drop" | "hang", when: "before" | "after"}`: before or after the request takes effect
 *   - `{kind: "stale", blocks}`: answered from a lower block
 *   - `{kind: "large", bytes, msPerMiB?}`: each receipt in an answer is blown up to this size, and takes its time
 *   - `{kind: "alter", at, to?}`: changes or removes the member at a JSON pointer
 */
import { z } from 'zod'
import type { Answer, Route } from '../../json-server.ts'
import { toBase58 } from '../account/address.ts'
import { refusalCodes } from '../chain/admission.ts'
import { type Devnet, usdt } from '../devnet.ts'
import type { Fault, FaultBox } from '../node/faults.ts'
import type { ChainControls } from './controls.ts'

const flag = z.boolean().optional()
const count = z.int().min(0).optional()
const Whole = z.string().regex(/^\d+$/).transform(BigInt)
const token = z.string().optional()
const MineBody = z.strictObject({ count, empty: flag }).default({})
const ForkBody = z.strictObject({
  depth: z.int().min(0),
  drop: z.union([z.literal('all'), z.array(z.string())]).optional(),
  blocks: count,
  into: z.int().min(0).nullable().optional(),
  reverse: flag,
})
const BalanceBody = z.strictObject({ address: z.string(), value: Whole, token })
const TransferBody = z.strictObject({ from: z.string(), to: z.string(), value: Whole, token })

const selectors = {
  on: z.string().optional(),
  where: z.record(z.string(), z.unknown()).optional(),
  after: count,
  every: z.int().min(1).optional(),
  times: count,
}
const when = z.enum(['before', 'after'])
const bytes = z
  .int()
  .min(0)
  .max(2 ** 27)
const FaultBody: z.ZodType<Fault> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), status: z.int().min(200).max(599), ...selectors }),
  z.strictObject({ kind: z.literal('busy'), ...selectors }),
  z.strictObject({ kind: z.literal('empty'), ...selectors }),
  z.strictObject({ kind: z.literal('text'), text: z.string(), ...selectors }),
  z.strictObject({ kind: z.literal('refuse'), code: z.enum(refusalCodes), ...selectors }),
  z.strictObject({ kind: z.literal('drop'), when, ...selectors }),
  z.strictObject({ kind: z.literal('hang'), when, ...selectors }),
  z.strictObject({ kind: z.literal('stale'), blocks: z.int().min(0), ...selectors }),
  z.strictObject({ kind: z.literal('large'), bytes, msPerMiB: count, ...selectors }),
  z.strictObject({ kind: z.literal('alter'), at: z.string(), to: z.unknown(), ...selectors }),
])
const FaultsBody = z.strictObject({ faults: z.array(FaultBody) })

export function adminRoutes(devnet: Devnet, controls: ChainControls, faults: FaultBox): Route[] {
  const route = (method: Route['method'], path: string, act: (body: unknown) => unknown): Route => ({
    method,
    path: `/dev/${path}`,
    async handle({ body }) {
      devnet.tick()
      const value = await act(body)
      await devnet.journal.flushed()
      return ok(value)
    },
  })
  const chain = (): unknown => ({
    head: controls.head('head'),
    solid: controls.head('solid'),
    pending: controls.pending(),
    token_contract: toBase58(usdt.contract),
  })
  return [
    route('GET', 'chain', chain),
    route('POST', 'mine', (body) => {
      const { count, ...options } = MineBody.parse(body)
      controls.mine(count, options)
      return chain()
    }),
    route('POST', 'fork', (body) => {
      const { depth, ...request } = ForkBody.parse(body)
      controls.fork(depth, request)
      return chain()
    }),
    route('POST', 'token-balance', (body) => {
      const { address, value, token } = BalanceBody.parse(body)
      controls.setTokenBalance(address, value, token)
    }),
    route('POST', 'transfer', (body) => ({ txid: controls.transfer(TransferBody.parse(body)) })),
    route('POST', 'faults', (body) => {
      faults.add(...FaultsBody.parse(body).faults)
      return { faults: faults.current() }
    }),
    route('DELETE', 'faults', () => faults.clear()),
  ]
}

const ok = (value: unknown): Answer => ({
  status: 200,
  // JSON has no bigint, so amounts are strings.
  text: JSON.stringify(value ?? {}, (_key, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  ),
})
