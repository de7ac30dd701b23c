import { randomBytes } from 'node:crypto'
import path from 'node:path'
import {
  createDatabase,
  type ReplicatedPostgres,
  startPostgres,
  startReplicatedPostgres,
} from '@quipu/embedded-postgres'
import { migrate } from '@quipu/postgres'
import { type QrNetworkSimulator, type Scenario, startQrNetwork } from '@quipu/simulators'
import pg from 'pg'
import { askJson } from '../../ask-json.ts'
import { readDocument } from '../documents/documents.fixture.ts'
import { type HookReceiver, openHookReceiver } from '../harness/hook-receiver.fixture.ts'
import type { Program } from '../harness/process.fixture.ts'
import { type ApiUrls, programsOf } from '../harness/programs.fixture.ts'
import { onboard } from '../harness/tenant.fixture.ts'
import type { Load } from './plan.fixture.ts'

const database = 'quipu'
const networkToken = 'the-token-of-the-network'
const callbackSecret = 'the secret of the callbacks'
const scenarios = ['paid', 'late', 'refused', 'no_liquidity'] as const satisfies Scenario[]

/** A migrated database, with the role that operations.md gives the processes. */
export async function makeTemplate(folder: string): Promise<void> {
  const server = await startPostgres({ dataDir: folder, durability: 'none' })
  await createDatabase(server, database)
  const url = server.urlFor(database)
  await migrate(url)
  const grants = readDocument('docs/operations.md').blocks.find(
    ({ language }) => language === 'sql',
  )
  const client = new pg.Client(url)
  await client.connect()
  await client.query(grants?.text ?? '')
  await client.end()
  await server.stop()
}

/** Processes over a primary with a synchronous standby, and a tenant with money and a webhook. */
export type Setup = AsyncDisposable & {
  readonly pair: ReplicatedPostgres
  readonly network: QrNetworkSimulator
  readonly receiver: HookReceiver
  readonly apiUrls: readonly string[]
  readonly apiKey: string
  readonly contents: ReadonlyMap<Scenario, string>
  readonly programs: readonly Program[]
  /** Of the database on the standby, as the superuser. */
  standbyUrl(): string
}

/** @param template  of `makeTemplate`; `folder` is removed in the end */
export async function openSetup(template: string, folder: string, load: Load): Promise<Setup> {
  await using begun = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T =>
    begun.adopt(thing, () => thing.stop())
  const dataDir = path.join(folder, `pair-${randomBytes(4).toString('hex')}`)
  const pair = own(await startReplicatedPostgres({ dataDir, template, synchronous: true }))
  const network = own(await startQrNetwork({ token: networkToken, callbackSecret, lateMs: 300 }))
  const receiver = own(await openHookReceiver())
  const url = asApp(pair.address.urlFor(database))
  const env = {
    DATABASE_URL: url,
    QR_NETWORK_URL: network.url,
    QR_NETWORK_TOKEN: networkToken,
    QR_NETWORK_CALLBACK_SECRET: callbackSecret,
    QUOTE_LIFE_SECONDS: '300',
    WEBHOOK_SECRET_KEY: '0f'.repeat(32),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_LEASE_SECONDS: '3',
  }
  const programs = programsOf(begun, env, async (api: ApiUrls) => api)
  const starting = Array.from({ length: load === 'busy' ? 2 : 1 }, () => programs.startApi())
  const [apis, worker] = await Promise.all([Promise.all(starting), programs.startWorker()])
  const [first] = apis
  if (first === undefined) throw new Error('there is no API')
  network.setCallbackUrl(`${first.url}/network/callbacks`)
  const apiKey = await onboard(first.operatorUrl, url)
  await registerWebhook(first.url, apiKey, receiver.url)
  const contents = scenarios.map((scenario) => {
    const { content } = network.issueQr({ amount_mode: 'open', scenario })
    return [scenario, content] as const
  })
  const parts = begun.move()
  return {
    pair,
    network,
    receiver,
    apiUrls: apis.map((api) => api.url),
    apiKey,
    contents: new Map(contents),
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
  if (status !== 201) throw new Error(`the webhook is refused: ${JSON.stringify(json)}`)
}
