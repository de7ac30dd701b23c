import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { type ReplicatedPostgres, startReplicatedPostgres } from '@quipu/embedded-postgres'
import { type QrNetworkSimulator, startQrNetwork } from '@quipu/simulators'
import {
  type ApiUrls,
  askJson,
  type HookReceiver,
  onboard,
  openHookReceiver,
  type Program,
  programsOf,
} from '@quipu/local/testing'
import { database } from '../run/template.ts'
import type { Served } from '../load/load.ts'
import type { Load } from './plan.ts'

const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'

/** API and worker processes on a primary with a synchronous standby, and a funded tenant with a webhook. */
export type Setup = AsyncDisposable &
  Served & {
    readonly network: QrNetworkSimulator
    readonly pair: ReplicatedPostgres
    readonly receiver: HookReceiver
    readonly programs: readonly Program[]
    /** URL of the standby's database, for the superuser. */
    standbyUrl(): string
  }

/** @param template  created by `makeTemplate` */
export async function openSetup(template: string, folder: string, load: Load): Promise<Setup> {
  await using started = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => started.adopt(thing, () => thing.stop())
  const dataDir = path.join(folder, `pair-${randomBytes(4).toString('hex')}`)
  const pair = own(await startReplicatedPostgres({ dataDir, template, synchronous: true }))
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret, lateMs: 300 }))
  const receiver = own(await openHookReceiver())
  const url = asApp(pair.address.urlFor(database))
  const env = {
    DATABASE_URL: url,
    QR_NETWORK_URL: network.url,
    QR_NETWORK_IDENTITY: 'simulator',
    QR_NETWORK_TOKEN: networkToken,
    QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    QUOTE_LIFE_SECONDS: '300',
    WEBHOOK_SECRET_KEY: '0f'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_LEASE_SECONDS: '3',
  }
  const programs = programsOf(started, env, async (api: ApiUrls) => api)
  const starting = Array.from({ length: load === 'busy' ? 2 : 1 }, () => programs.startApi())
  const [apis, worker] = await Promise.all([Promise.all(starting), programs.startWorker()])
  const [first] = apis
  if (first === undefined) throw new Error('no API was started')
  network.setCallbackUrl(`${first.url}/network/callbacks`)
  const apiKey = await onboard(first.operatorUrl, url)
  await registerWebhook(first.url, apiKey, receiver.url)
  const parts = started.move()
  return {
    pair,
    network,
    receiver,
    urls: apis.map((api) => api.url),
    tenants: [{ id: 'the tenant', apiKey }],
    programs: [...apis, worker],
    standbyUrl: () => pair.standby.urlFor(database),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

function asApp(url: string): string {
  const changed = new URL(url)
  changed.username = 'quipu_app'
  return changed.href
}

async function registerWebhook(api: string, apiKey: string, url: string): Promise<void> {
  const headers = { 'x-api-key': apiKey }
  const request = { method: 'POST', path: '/v1/webhooks', headers, body: { url } }
  const { status, json } = await askJson(api, request)
  if (status !== 201) throw new Error(`the webhook was refused: ${JSON.stringify(json)}`)
}
