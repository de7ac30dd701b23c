import type { Metrics } from './metrics.ts'
import { type TimeCall, timedCalls } from './timed-calls.ts'

/** The provider that finds deposits, the same one at the pace of reconciliation, or the second one. */
export type ChainProvider = 'primary' | 'balances' | 'verifier'

/** Times requests to the chain's nodes, retries and the wait for the rate limit included. */
export const chainCalls = (metrics: Metrics): TimeCall<'provider' | 'operation'> =>
  timedCalls(metrics, {
    name: 'quipu_chain_call_duration_seconds',
    help: 'Duration of requests to the chain, retries and rate limit included, by provider, operation and result.',
    labels: ['provider', 'operation'],
  })

type Ask = (view: never, endpoint: string, ...rest: never[]) => Promise<unknown>
type Requests = { readonly request: Ask; readonly requestOnce: Ask }

/** A node whose requests are timed by the endpoint that they call. */
export function measuredNode<Node extends Requests>(
  time: TimeCall<'provider' | 'operation'>,
  provider: ChainProvider,
  node: Node,
): Node {
  const timed =
    (ask: Ask): Ask =>
    (view, endpoint, ...rest) =>
      time({ provider, operation: endpoint }, () => ask(view, endpoint, ...rest))
  return { ...node, request: timed(node.request), requestOnce: timed(node.requestOnce) }
}
