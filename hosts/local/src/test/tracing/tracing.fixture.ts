import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { ApiSettings, startApi } from '@quipu/api'
import { jsonLog, readSettings } from '@quipu/runtime'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import { startWorker, WorkerSettings } from '@quipu/worker'
import { askJson, type JsonReply } from '../../ask-json.ts'
import { type RoleDatabase, roleDatabase } from '../harness/database-role.fixture.ts'
import { type Listener, listener } from '../harness/listener.fixture.ts'
import { onboard } from '../harness/tenant.fixture.ts'

/** A request as another system received it. */
export type Arrived = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An HTTP server that keeps every request. */
export type Recorder = Listener & { readonly arrived: readonly Arrived[] }

/** @param target  answers the requests; without it each is answered 200 */
export async function recorder(target?: string): Promise<Recorder> {
  const arrived: Arrived[] = []
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = req
    const body = await buffer(req)
    arrived.push({ method, path, headers, body })
    if (target === undefined) return void res.end()
    const { host: _, connection: __, 'content-length': ___, ...forwarded } = headers
    const reply = await fetch(target + path, {
      method,
      headers: forwarded as Record<string, string>,
      body: body.length > 0 ? new Uint8Array(body) : null,
    })
    res.writeHead(reply.status, { 'content-type': 'application/json' })
    res.end(await reply.text())
  }
  const server = await listener((req, res) => {
    answer(req, res).catch(() => res.destroy()) // As its target has done.
  })
  return { ...server, arrived }
}

export const secrets = {
  networkToken: 'the-token-of-the-network',
  callbackSecret: 'the secret of the callbacks',
  webhookKey: '0f'.repeat(32),
}

/** The environment of API and worker. */
export const environment = (database: RoleDatabase, networkUrl: string) => ({
  DATABASE_URL: database.roleUrl,
  QR_NETWORK_URL: networkUrl,
  QR_NETWORK_IDENTITY: 'simulator',
  QR_NETWORK_TOKEN: secrets.networkToken,
  QR_NETWORK_CALLBACK_SECRET: secrets.callbackSecret,
  WEBHOOK_SECRET_KEY: secrets.webhookKey,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WORKER_IDLE_MS: '50',
  DRAIN_SECONDS: '0',
  PORT: '0',
  OPERATOR_PORT: '0',
  WORKER_PORT: '0',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
})

export type TracedService = AsyncDisposable & {
  readonly database: RoleDatabase
  readonly network: QrNetworkSimulator
  /** Between the service and the network. */
  readonly networkCalls: Recorder
  /** The tenant's webhook server. */
  readonly receiver: Recorder
  readonly operatorUrl: string
  readonly apiKey: string
  /** The lines that the API has logged. */
  readonly lines: readonly Record<string, unknown>[]
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<JsonReply>
}

/**
 * API and worker in this process, over PostgreSQL and a simulated network, with a tenant that has an endpoint.
 *
 * @param more  further settings of both
 */
export async function tracedService(more: Readonly<Record<string, string>> = {}): Promise<TracedService> {
  const resources = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
  const database = resources.use(await roleDatabase())
  const { networkToken: token, callbackSecret } = secrets
  const network = own(await startQrNetwork({ token, callbackSecret, lateMs: 100 }))
  const networkCalls = own(await recorder(network.url))
  const receiver = own(await recorder())
  const env = { ...environment(database, networkCalls.url), ...more }
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const log = jsonLog('info', { write })
  const api = own(await startApi(readSettings(ApiSettings, env), log))
  own(await startWorker(readSettings(WorkerSettings, env), jsonLog('silent')))
  network.setCallbackUrl(`${api.url}/network/callbacks`)
  const apiKey = await onboard(api.operatorUrl, database.roleUrl)
  const ask: TracedService['ask'] = (method, path, body, headers = {}) =>
    askJson(api.url, { method, path, body, headers: { 'x-api-key': apiKey, ...headers } })
  await ask('POST', '/v1/webhooks', { url: receiver.url })
  return {
    database,
    network,
    networkCalls,
    receiver,
    apiKey,
    lines,
    ask,
    operatorUrl: api.operatorUrl,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
