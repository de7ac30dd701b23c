/**
 * The admin port controls the chain and injects faults into its nodes. It has no token, so bind it to
 * loopback; it refuses requests that a web page can send. Bodies and answers are JSON, and every
 * `POST` needs `Content-Type: application/json`, also without a body. Addresses are `T…` or `41…`
 * in hex; amounts are integers of the smallest unit (micro-USDT, sun) as strings.
 *
 * - `POST /dev/mine {count?, empty?}` — mines blocks; the first has the pending transactions,
 *   unless `empty`. `GET /dev/chain` — `{head, solid, pending: [txid], token_contract}`; mining,
 *   forking and stalling answer the same.
 * - `POST /dev/fork {depth, drop?, blocks?, into?, reverse?}` — replaces the newest blocks by
 *   `blocks` others (one more by default). `drop`: `"all"` or the ids of transactions to remove; the
 *   others are in the new block `into` (0; null for none), in reverse order if `reverse`. 409 if a
 *   solid block would be replaced.
 * - `POST /dev/stall-solid {stalled?}` — stops or resumes the solid block.
 * - `POST /dev/restart` — restarts the chain's nodes: blocks that are not solid, and pending transactions, are lost.
 * - `POST /dev/forget {txids?}` — removes pending transactions.
 *
 * Immediate changes on every fork, without a log:
 * - `POST /dev/fund {address, sun?, energy?}` — adds TRX and daily energy, and creates the account.
 * - `POST /dev/token-balance {address, value, token?}`, `/dev/blacklist {address, listed?, token?}`,
 *   `/dev/pause {paused?, token?}`, `/dev/token-fee {rate, max, token?}`, `/dev/energy-price {sun}`.
 * - `POST /dev/tokens {name?, symbol?, decimals?, asserts?, owner?}` — deploys another token, whose arithmetic ends in a
 *   failed assert if `asserts`; answers `{contract}`.
 *
 * New pending transactions, which need no key or TRX and answer `{txid}`:
 * - `POST /dev/transfer {from, to, value, token?}`
 * - `POST /dev/call {method, args?, from?, token?, expires_in_ms?}` — calls a
 *   function such as `addBlackList(address)`, by default as the token's owner.
 * - `POST /dev/script {from?, contract?, transfers?, logs?, result?, expires_in_ms?}` —
 *   `transfers: [{from, to, value, token?}]` move tokens; `logs`, of the same form or
 *   `{contract?, topics, data?}`, are only logged. `result`: `SUCCESS`, `REVERT`, `OUT_OF_ENERGY`, `OUT_OF_TIME`,
 *   `ILLEGAL_OPERATION`.
 *
 * State of the chain:
 * - `GET /dev/transfers?level=head|solid` — every `Transfer` log, of any contract.
 * - `GET /dev/balance?address=&level=&token=` — `{token, sun}`.
 *
 * Nodes are numbered; 0 is the first and the default:
 * - `POST /dev/nodes {lag?, port?, serves?, trxCache?, qps?, connectionsMax?}` — starts a node that lags by `lag` blocks,
 *   `serves` only `wallet` or `walletsolidity`, remembers ids of broadcasts before it checks them, delays requests to a
 *   rate, and takes a number of connections; answers `{node, url}`.
 * - `POST /dev/node {node?, lag?, frozen?, down?}` — `frozen`: gets no more blocks; `down`:
 *   refuses connections.
 * - `POST /dev/faults {node?, faults: [{kind, …, on?, where?, after?, every?, times?}]}` — adds
 *   faults and answers all. `on`: an endpoint; `where`: members of the request; `after`: number of
 *   matching requests to skip; `every`: only each n-th match; `times`: number of faults in all.
 *   - `{kind: "delay", ms}`, `{kind: "status", status}` (403, 429, 503)
 *   - `{kind: "busy"}`: 200 with the error of a node's limiter; `{kind: "empty"}`: 200 with `{}` or `[]`;
 *     `{kind: "text", text}`: 200 without JSON
 *   - `{kind: "refuse", code}`: a broadcast is answered with this code and not accepted
 *   - `{kind: "drop" | "hang", when: "before" | "after"}`: before or after the request takes effect
 *   - `{kind: "stale", blocks}`: answered from a lower block
 *   - `{kind: "large", bytes, msPerMiB?}`: each receipt in an answer is blown up to this size, and takes its time
 *   - `{kind: "alter", at, to?}`: changes or removes the member at a JSON pointer
 * - `DELETE /dev/faults?node=` — clears the faults and releases hanging requests.
 * - `GET /dev/hanging?node=` — paths of hanging requests. `POST /dev/release {node?}`.
 * - `GET /dev/requests?node=&endpoint=` — received requests with times.
 */
import type { Answer, Route } from '../../json-server.ts'
import { chainRoutes, readRoutes, type BuildRoute } from './chain-routes.ts'
import { nodeRoutes } from './node-routes.ts'
import { stateRoutes, transactionRoutes } from './state-routes.ts'
import type { ChainControls } from './controls.ts'
import type { Devnet } from '../devnet.ts'
import type { Nodes } from '../node/nodes.ts'

export function adminRoutes(devnet: Devnet, controls: ChainControls, nodes: Nodes): Route[] {
  const route =
    (method: Route['method']): BuildRoute =>
    (path, act) => ({
      method,
      path: `/dev/${path}`,
      async handle(call) {
        devnet.tick()
        const value = await act(call)
        await devnet.journal.flushed()
        return ok(value)
      },
    })
  const post = route('POST')
  return [
    ...chainRoutes(devnet, controls, post),
    ...stateRoutes(controls, post),
    ...transactionRoutes(controls, post),
    ...readRoutes(devnet, controls, route('GET')),
    ...nodeRoutes(nodes, route),
  ]
}

const ok = (value: unknown): Answer => ({
  status: 200,
  // JSON has no bigint, so amounts are strings.
  text: JSON.stringify(value ?? {}, (_key, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  ),
})
