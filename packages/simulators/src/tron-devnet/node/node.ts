import { ZodError } from 'zod'
import { everyone } from '../../access.ts'
import { startJsonServer, type Answer, type Call, type Route } from '../../json-server.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { blockEndpoints } from './block-endpoints.ts'
import { broadcastAnswer, broadcastEndpoints } from './broadcast-endpoints.ts'
import { contractEndpoints } from './contract-endpoints.ts'
import type { Devnet } from '../devnet.ts'
import type { Endpoint, Ledger } from './endpoint.ts'
import { createFaultBox, lieAt, type FaultBox, type Mishap } from './faults.ts'
import { lookupEndpoints } from './lookup-endpoints.ts'
import { Unreadable } from './transaction-json.ts'
import { viewAt, type ChainData, type View } from '../chain/view.ts'

/** A request that a node got. */
export type SeenRequest = {
  /** Such as `wallet/getblockbynum`. */
  readonly path: string
  readonly body: unknown
  /** By the devnet's clock. */
  readonly at: string
}

/** One of the network's nodes, on a port of its own; all of them are of one chain. */
export type Node = {
  readonly url: string
  readonly faults: FaultBox
  /** How many blocks it is behind the newest. */
  setLag(blocks: number): void
  /** It hears of nothing more: blocks that a fork takes back stay on it. */
  freeze(): void
  /** It hears of everything again. */
  follow(): void
  /** Whether it takes connections. */
  setDown(down: boolean): Promise<void>
  /** The newest requests, oldest first; those of one endpoint when it is named. */
  requests(endpoint?: string): SeenRequest[]
  stop(): Promise<void>
}

export type NodeOptions = {
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  /** How many blocks it is behind the newest; none by default. */
  readonly lag?: number | undefined
}

const requestsMax = 10_000

/** Where a node stands: what it knows of the chain, and up to where. */
type Stand = { lag: number; frozen: { readonly data: ChainData; readonly solid: number } | null }

export async function startNode(devnet: Devnet, options: NodeOptions): Promise<Node> {
  const { host = '127.0.0.1', port = 0, lag = 0 } = options
  const { chain } = devnet
  const faults = createFaultBox(devnet.timers)
  const stand: Stand = { lag, frozen: null }
  const seen: SeenRequest[] = []
  const routes = routesOf(devnet, stand, faults, (path, body) => {
    if (seen.length >= requestsMax) seen.shift()
    seen.push({ path, body, at: new Date(devnet.timers.now()).toISOString() })
  })
  const server = await startJsonServer({ host, port, access: everyone, routes })
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
    requests: (endpoint) =>
      seen.filter(({ path }) => endpoint === undefined || `/${path}`.endsWith(`/${endpoint}`)),
    async stop() {
      await server.pause()
      faults.clear()
    },
  }
}

const reads = { ...blockEndpoints, ...accountEndpoints, ...contractEndpoints }

type Saw = (path: string, body: unknown) => void

function routesOf(devnet: Devnet, stand: Stand, faults: FaultBox, saw: Saw): Route[] {
  const ledger: Ledger = {
    chain: devnet.chain,
    now: devnet.timers.now,
    accept: ({ hex, signatures, script }) =>
      devnet.enter({ type: 'accepted', hex, signatures, script }),
  }
  const answer = (path: string, body: unknown, act: (behind: number) => unknown) => {
    devnet.tick()
    saw(path, body)
    return answerTo(devnet, faults, path, body, act)
  }
  const wallet = (solid: boolean, [name, endpoint]: [string, Endpoint]): Route[] => {
    const path = `${solid ? 'walletsolidity' : 'wallet'}/${name}`
    const handle = (call: Call) => {
      const body = call.body ?? Object.fromEntries(call.query)
      const { visible } = body as { visible?: unknown }
      return answer(path, body, (behind) =>
        endpoint(ledger, {
          view: viewFrom(devnet, stand, solid, behind),
          solid,
          body,
          visible: visible === true || visible === 'true',
        }),
      )
    }
    return (['GET', 'POST'] as const).map((method) => ({ method, path: `/${path}`, handle }))
  }
  const lookups = Object.entries(lookupEndpoints).map(([path, lookup]): Route => ({
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
  return [
    ...Object.entries({ ...reads, ...broadcastEndpoints }).flatMap((one) => wallet(false, one)),
    ...Object.entries(reads).flatMap((one) => wallet(true, one)),
    ...lookups,
  ]
}

function viewFrom({ chain }: Devnet, stand: Stand, solid: boolean, behind: number): View {
  const { data, solid: solidNumber } = stand.frozen ?? { data: chain.data, solid: chain.solid() }
  const from = solid ? solidNumber : data.blocks.length - 1
  return viewAt(data, Math.max(0, from - stand.lag - behind))
}

/** Answers a request through whatever befalls it. */
async function answerTo(
  { journal }: Devnet,
  faults: FaultBox,
  path: string,
  body: unknown,
  act: (behind: number) => unknown,
): Promise<Answer> {
  const mishaps = faults.meet(path, body)
  for (const mishap of mishaps) {
    const ended = await arrival(mishap, faults, path, body)
    if (ended) return ended
  }
  let json = tried(() => act(behindBy(mishaps)))
  await journal.flushed() // Nothing is said that a restart could take back.
  for (const mishap of mishaps) {
    if (mishap.kind === 'lie') json = lieAt(json, mishap.at, mishap.to)
    if (mishap.kind === 'rewrite') json = mishap.rewrite(json, body)
    if (mishap.kind === 'hang' && mishap.when === 'after') await faults.hang(path)
    if (mishap.kind === 'drop' && mishap.when === 'after') return 'drop'
  }
  return { status: 200, json }
}

const behindBy = (mishaps: readonly Mishap[]): number =>
  mishaps.reduce((sum, mishap) => sum + (mishap.kind === 'stale' ? mishap.blocks : 0), 0)

/** An answer that ends the request before anything is done; null lets it go on. */
async function arrival(
  mishap: Mishap,
  faults: FaultBox,
  path: string,
  body: unknown,
): Promise<Answer | null> {
  switch (mishap.kind) {
    case 'delay':
      await faults.wait(mishap.ms)
      return null
    case 'hang':
      if (mishap.when === 'before') await faults.hang(path)
      return null
    case 'drop':
      return mishap.when === 'before' ? 'drop' : null
    case 'status':
      return { status: mishap.status, text: `status ${mishap.status}` }
    case 'busy':
      return ok(errorJson('java.lang.IllegalAccessException', 'lack of computing resources'))
    case 'empty':
      return ok(path.endsWith('byblocknum') ? [] : {})
    case 'text':
      return { status: 200, text: mishap.text }
    case 'refuse':
      return ok(refused(mishap.code, body))
    case 'stale':
    case 'lie':
    case 'rewrite':
      return null
  }
}

const ok = (json: unknown): Answer => ({ status: 200, json })

const errorJson = (name: string, message: string): unknown => ({
  Error: `class ${name} : ${message}`,
})

function refused(code: Extract<Mishap, { kind: 'refuse' }>['code'], body: unknown): unknown {
  const { txID } = body as { txID?: unknown }
  return broadcastAnswer(typeof txID === 'string' ? txID : '', { code, message: code })
}

/** What a node cannot make sense of it answers with 200 all the same. */
function tried(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError || error instanceof ZodError)
      return errorJson('java.lang.IllegalArgumentException', error.message)
    throw error
  }
}
