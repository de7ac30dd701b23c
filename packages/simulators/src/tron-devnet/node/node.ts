import { ZodError } from 'zod'
import { everyone } from '../../access.ts'
import { startJsonServer, type Answer, type Call, type Route } from '../../json-server.ts'
import { accountEndpoints } from './account-endpoints.ts'
import { blockEndpoints } from './block-endpoints.ts'
import { broadcastAnswer, broadcastEndpoints } from './broadcast-endpoints.ts'
import { contractEndpoints } from './contract-endpoints.ts'
import type { Devnet } from '../devnet.ts'
import type { Endpoint, NodeContext } from './endpoint.ts'
import { createFaultBox, alterAt, blownUp, type FaultBox, type FaultEffect } from './faults.ts'
import { lookupEndpoints } from './lookup-endpoints.ts'
import { InvalidRequest } from './transaction-json.ts'
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

export type NodeOptions = {
  readonly host?: string | undefined
  /** A free port by default. */
  readonly port?: number | undefined
  /** Number of blocks it lags behind; 0 by default. */
  readonly lag?: number | undefined
}

const requestsMax = 10_000

/** Which part of the chain a node shows. */
type NodeState = {
  lag: number
  frozen: { readonly data: ChainData; readonly solid: number } | null
}

export async function startNode(devnet: Devnet, options: NodeOptions): Promise<Node> {
  const { host = '127.0.0.1', port = 0, lag = 0 } = options
  const { chain } = devnet
  const faults = createFaultBox(devnet.timers)
  const stand: NodeState = { lag, frozen: null }
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

type RecordRequest = (path: string, body: unknown) => void

function routesOf(devnet: Devnet, stand: NodeState, faults: FaultBox, saw: RecordRequest): Route[] {
  const context: NodeContext = {
    chain: devnet.chain,
    now: devnet.timers.now,
    accept: ({ hex, signatures, script }) =>
      devnet.record({ type: 'accepted', hex, signatures, script }),
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

function viewFrom({ chain }: Devnet, stand: NodeState, solid: boolean, behind: number): View {
  const { data, solid: solidNumber } = stand.frozen ?? { data: chain.data, solid: chain.solid() }
  const from = solid ? solidNumber : data.blocks.length - 1
  return viewAt(data, Math.max(0, from - stand.lag - behind))
}

/** Answers a request with its faults. */
async function answerTo(
  { journal }: Devnet,
  faults: FaultBox,
  path: string,
  body: unknown,
  act: (behind: number) => unknown,
): Promise<Answer> {
  const effects = faults.take(path, body)
  for (const effect of effects) {
    const ended = await arrival(effect, faults, path, body)
    if (ended) return ended
  }
  let json = answerOrError(() => act(behindBy(effects)))
  await journal.flushed() // An answer implies that its changes are durable.
  for (const effect of effects) {
    if (effect.kind === 'alter') json = alterAt(json, effect.at, effect.to)
    if (effect.kind === 'rewrite') json = effect.rewrite(json, body)
    if (effect.kind === 'hang' && effect.when === 'after') await faults.hang(path)
    if (effect.kind === 'drop' && effect.when === 'after') return 'drop'
  }
  const large = effects.find((effect) => effect.kind === 'large')
  if (!large) return ok(json)
  const text = blownUp(json, large.bytes)
  await faults.wait((text.length / 1024 ** 2) * (large.msPerMiB ?? 0))
  return { status: 200, text }
}

const behindBy = (effects: readonly FaultEffect[]): number =>
  effects.reduce((sum, effect) => sum + (effect.kind === 'stale' ? effect.blocks : 0), 0)

/** Applies an effect before the request. @returns an answer in its place, or null */
async function arrival(
  effect: FaultEffect,
  faults: FaultBox,
  path: string,
  body: unknown,
): Promise<Answer | null> {
  switch (effect.kind) {
    case 'delay':
      await faults.wait(effect.ms)
      return null
    case 'hang':
      if (effect.when === 'before') await faults.hang(path)
      return null
    case 'drop':
      return effect.when === 'before' ? 'drop' : null
    case 'status':
      return { status: effect.status, text: `status ${effect.status}` }
    case 'busy':
      return ok(errorJson('java.lang.IllegalAccessException', 'lack of computing resources'))
    case 'empty':
      return ok(path.endsWith('byblocknum') ? [] : {})
    case 'text':
      return { status: 200, text: effect.text }
    case 'refuse':
      return ok(refused(effect.code, body))
    case 'stale':
    case 'large':
    case 'alter':
    case 'rewrite':
      return null
  }
}

const ok = (json: unknown): Answer => ({ status: 200, json })

const errorJson = (name: string, message: string): unknown => ({
  Error: `class ${name} : ${message}`,
})

function refused(code: Extract<FaultEffect, { kind: 'refuse' }>['code'], body: unknown): unknown {
  const { txID } = body as { txID?: unknown }
  return broadcastAnswer(typeof txID === 'string' ? txID : '', { code, message: code })
}

/** Nodes answer an invalid request with 200 and an error. */
function answerOrError(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    if (error instanceof InvalidRequest || error instanceof RangeError || error instanceof ZodError)
      return errorJson('java.lang.IllegalArgumentException', error.message)
    throw error
  }
}
