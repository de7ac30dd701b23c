/**
 * The admin port: everything a test needs to move the chain and to break its nodes. No token; keep
 * it on loopback. It refuses what a page in a browser can send. Bodies and answers are JSON; a
 * `POST` needs `Content-Type: application/json`, also without a body. Addresses are `T…` or `41…`
 * in hex; amounts are whole numbers of the smallest unit (micro-USDT, sun) as strings.
 *
 * - `POST /dev/mine {count?, empty?}` — seals blocks; the first takes what is pending, unless
 *   `empty`. `GET /dev/chain` — `{head, solid, pending: [txid], token_contract}`; mining, forking
 *   and stalling answer the same.
 * - `POST /dev/fork {depth, drop?, blocks?, into?, reverse?}` — takes back the newest blocks and
 *   puts `blocks` others there (one more by default). `drop`: `"all"` or ids that never come
 *   again; the rest goes into new block `into` (0; null for none), in opposite order if `reverse`.
 *   409 when the solid block would go.
 * - `POST /dev/stall-solid {stalled?}` — the solid block stands still, or goes on.
 * - `POST /dev/forget {txids?}` — the network loses pending transactions.
 *
 * At once and on every fork, without a log:
 * - `POST /dev/fund {address, sun?, energy?}` — adds TRX and energy a day; activates the account.
 * - `POST /dev/token-balance {address, value, token?}`, `/dev/blacklist {address, listed?, token?}`,
 *   `/dev/pause {paused?, token?}`, `/dev/token-fee {rate, max, token?}`, `/dev/energy-price {sun}`.
 * - `POST /dev/tokens {name?, symbol?, decimals?}` — another token; answers `{contract}`.
 *
 * Pending transactions without key or TRX, each answered by `{txid}`:
 * - `POST /dev/transfer {from, to, value, token?}`
 * - `POST /dev/call {method, args?, from?, token?, expires_in_ms?}` — such as
 *   `addBlackList(address)`; by the token's owner by default.
 * - `POST /dev/script {from?, contract?, transfers?, logs?, result?, expires_in_ms?}` —
 *   `transfers: [{from, to, value, token?}]` really move; `logs` are only said: the same, or
 *   `{contract?, topics, data?}`. `result`: `SUCCESS`, `REVERT`, `OUT_OF_ENERGY`, `OUT_OF_TIME`.
 *
 * What is on the chain:
 * - `GET /dev/transfers?level=head|solid` — every `Transfer` log, of any contract.
 * - `GET /dev/balance?address=&level=&token=` — `{token, sun}`.
 *
 * Nodes are numbered; 0 is the first, and the one meant where none is named:
 * - `POST /dev/nodes {lag?, port?}` — another node, so many blocks behind; answers `{node, url}`.
 * - `POST /dev/node {node?, lag?, frozen?, down?}` — `frozen`: hears of nothing more; `down`:
 *   takes no connections.
 * - `POST /dev/faults {node?, faults: [{kind, …, on?, where?, after?, every?, times?}]}` — adds
 *   them and answers all. `on`: an endpoint; `where`: members that the request must have; `after`:
 *   lets so many by first; `every`: befalls each so-manyeth; `times`: so many in all.
 *   - `{kind: "delay", ms}`, `{kind: "status", status}` (403, 429, 503)
 *   - `{kind: "busy"}`: 200 with a node's own limiter; `{kind: "empty"}`: 200 with nothing;
 *     `{kind: "text", text}`: 200 with no JSON
 *   - `{kind: "refuse", code}`: a broadcast is answered so, and not taken
 *   - `{kind: "drop" | "hang", when: "before" | "after"}`: on one side or the other of the work
 *   - `{kind: "stale", blocks}`: answered from so many blocks behind
 *   - `{kind: "lie", at, to?}`: the member at a JSON pointer is something else, or missing
 * - `DELETE /dev/faults?node=` — clears them and lets waiting requests go.
 * - `GET /dev/hanging?node=` — paths of the requests that wait. `POST /dev/release {node?}`.
 * - `GET /dev/requests?node=&endpoint=` — what was asked, with times.
 */
import type { Answer, Route } from '../../json-server.ts'
import { chainRoutes, readRoutes, type Add } from './chain-routes.ts'
import { nodeRoutes } from './node-routes.ts'
import { stateRoutes, transactionRoutes } from './state-routes.ts'
import type { ChainControls } from './controls.ts'
import type { Devnet } from '../devnet.ts'
import type { Nodes } from '../node/nodes.ts'

export function adminRoutes(devnet: Devnet, controls: ChainControls, nodes: Nodes): Route[] {
  const route =
    (method: Route['method']): Add =>
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
  // JSON has no bigint: amounts go as strings.
  text: JSON.stringify(value ?? {}, (_key, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  ),
})
