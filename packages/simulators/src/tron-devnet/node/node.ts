import { everyone } from '../../access.ts'
import { startJsonServer, type Answer, type Call, type Route } from '../../json-server.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { answerTo } from './answer.ts'
import { blockEndpoints } from './block-endpoints.ts'
import { broadcastEndpoints } from './broadcast-endpoints.ts'
import { contractEndpoints } from './contract-endpoints.ts'
import type { Devnet } from '../devnet.ts'
import type { Endpoint, NodeContext } from './endpoint.ts'
import { createFaultBox, type FaultBox } from './faults.ts'
import { lookupEndpoints } from './lookup-endpoints.ts'
import { viewAt, type ChainData, type View } from '../chain/view.ts'

/** A received request. */
export type SeenRequest = {
  /** Such as `wallet/getblockbynum`. */
  readonly path: string
  readonly body: unknown
  /** By the devnet's clock. */
  readonly at: string
}

/** A node of the chain, with its own port and faults. */
export type Node = {
  readonly url: string
  readonly faults: FaultBox
  /** Sets the number of blocks it lags behind. */
  setLag(blocks: number): void
  /** Stops following the chain; replaced blocks stay on it. */
  freeze(): void
  /** Follows the chain again. */
  follow(): void
  /** Refuses or accepts connections. */
  setDown(down: boolean): Promise<void>
  /** The newest requests, oldest first; optionally of one endpoint. */
  requests(endpoint?: string): SeenRequest[]
  stop(): Promise<void>
}

/** A further node of the same chain. */
export type NodeOptions = {
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  /** Number of blocks it lags behind; 0 by default. */
  readonly lag?: number | undefined
  /** The prefix that its port serves; both by default. A real node has a port for each of them. */
  readonly serves?: 'wallet' | 'walletsolidity' | undefined
  /** `node.rpc.trxCacheEnable`: remembers the ids of broadcasts before it checks them. False by default. */
  readonly trxCache?: boolean | undefined
  /** A limiter that delays requests, in requests a second. None by default. */
  readonly qps?: number | undefined
  /** `node.maxHttpConnectNumber`, of which a real node takes 50: later connections wait. No limit by default. */
  readonly connectionsMax?: number | undefined
}

const requestsMax = 10_000

/** Which part of the chain a node shows. */
type NodeState = { lag: number; frozen: { readonly data: ChainData; readonly solid: number } | null }

export async function startNode(devnet: Devnet, options: NodeOptions): Promise<Node> {
  const { host = '127.0.0.1', port = 0, lag = 0, connectionsMax } = options
  const { chain } = devnet
  const faults = createFaultBox(devnet.timers)
  const stand: NodeState = { lag, frozen: null }
  const seen: SeenRequest[] = []
  const delay = delayOf(devnet, options.qps ?? Infinity)
  const answer: AnswerRequest = async (path, body, act) => {
    devnet.tick()
    if (seen.length >= requestsMax) seen.shift()
    seen.push({ path, body, at: new Date(devnet.timers.now()).toISOString() })
    await delay()
    return answerTo(devnet, faults, path, body, act)
  }
  const { serves } = options
  const routes = routesOf(devnet, stand, answer, options.trxCache ?? false).filter(
    ({ path }) => serves === undefined || path.startsWith(`/${serves}/`),
  )
  const server = await startJsonServer({
    host,
    port,
    access: everyone,
    routes,
    connectionsMax,
    missing: (path) => (path.startsWith('/wallet') ? unsupported : undefined),
  })
  return {
    url: server.url,
    faults,
    setLag(blocks) {
      stand.lag = blocks
    },
    freeze() {
      stand.frozen = { data: chain.frozen(), solid: chain.solid() }
    },
    follow() {
      stand.frozen = null
    },
    setDown: (down) => (down ? server.pause() : server.resume()),
    requests: (endpoint) => seen.filter(({ path }) => endpoint === undefined || `/${path}`.endsWith(`/${endpoint}`)),
    async stop() {
      await server.pause()
      faults.clear()
    },
  }
}

/** A real node's answer to a path that it does not serve. */
const unsupported: Answer = {
  status: 405,
  html: '<html><head><title>Error 405 HTTP method POST is not supported by this URL</title></head></html>\n',
}

const reads = { ...blockEndpoints, ...accountEndpoints, ...contractEndpoints }

type AnswerRequest = (path: string, body: unknown, act: (behind: number) => unknown) => Promise<Answer>

function routesOf(devnet: Devnet, stand: NodeState, answer: AnswerRequest, trxCache: boolean): Route[] {
  const broadcasts = new Set<string>()
  const context: NodeContext = {
    chain: devnet.chain,
    now: devnet.timers.now,
    isRepeated(txid) {
      const isKnown = trxCache && broadcasts.has(txid)
      broadcasts.add(txid)
      return isKnown
    },
    accept: ({ hex, signatures, script }) => devnet.record({ type: 'accepted', hex, signatures, script }),
  }
  const wallet = (solid: boolean, [name, endpoint]: [string, Endpoint]): Route[] => {
    const path = `${solid ? 'walletsolidity' : 'wallet'}/${name}`
    const handle = (call: Call) => {
      const body = call.body ?? Object.fromEntries(call.query)
      const { visible } = body as { visible?: unknown }
      return answer(path, body, (behind) =>
        endpoint(context, {
          view: viewFrom(devnet, stand, solid, behind),
          solid,
          body,
          visible: visible === true || visible === 'true',
        }),
      )
    }
    return (['GET', 'POST'] as const).map((method) => ({ method, path: `/${path}`, handle }))
  }
  return [
    ...Object.entries({ ...reads, ...broadcastEndpoints }).flatMap((one) => wallet(false, one)),
    ...Object.entries(reads).flatMap((one) => wallet(true, one)),
    ...lookupRoutes(devnet, stand, answer),
  ]
}

const lookupRoutes = (devnet: Devnet, stand: NodeState, answer: AnswerRequest): Route[] =>
  Object.entries(lookupEndpoints).map(([path, lookup]): Route => ({
    method: 'GET',
    path: `/v1/${path}`,
    handle: (call) =>
      answer(`v1/${path}`, Object.fromEntries(call.query), (behind) =>
        lookup({
          view: viewFrom(devnet, stand, false, behind),
          solid: viewFrom(devnet, stand, true, behind),
          chain: devnet.chain,
          of: call.path['of'] ?? '',
          query: call.query,
        }),
      ),
  }))

/** Lets requests pass one after the other at this rate. A request that was given up keeps its turn. */
function delayOf({ timers }: Devnet, qps: number): () => Promise<void> {
  let nextAt = -Infinity
  return () => {
    const at = Math.max(timers.now(), nextAt)
    nextAt = at + 1_000 / qps
    return timers.wait(at - timers.now())
  }
}

function viewFrom({ chain }: Devnet, stand: NodeState, solid: boolean, behind: number): View {
  const { data, solid: solidNumber } = stand.frozen ?? { data: chain.data, solid: chain.solid() }
  const from = solid ? solidNumber : data.blocks.length - 1
  return viewAt(data, Math.max(0, from - stand.lag - behind))
}
