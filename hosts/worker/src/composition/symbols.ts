import type { PostgresStores } from '@quipu/postgres'
import type { HttpQrNetwork } from '@quipu/qr-network'
import type {
  DatabaseClock,
  DatabaseWatch,
  Metrics,
  NamedLoop,
  PollingLoop,
  thisProcess,
} from '@quipu/runtime'
import type { HttpWebhookSender } from '@quipu/webhook-http'
import type { ServiceIdentifier } from 'inversify'
import type { Chain, WebhookQueue } from '../ports.ts'

/** A symbol with the type of what is bound to it. */
const symbol = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const CLOCK = symbol<DatabaseClock>('Clock')
export const METRICS = symbol<Metrics>('Metrics')
export const STORES = symbol<PostgresStores>('Stores')
export const DATABASE_WATCH = symbol<DatabaseWatch>('DatabaseWatch')
/** This process, as it is recorded. */
export const IDENTITY = symbol<ReturnType<typeof thisProcess>>('Identity')
/** Records that this process runs. */
export const HEARTBEATS = symbol<PollingLoop>('Heartbeats')
export const NETWORK = symbol<HttpQrNetwork>('QrNetwork')
export const CHAIN = symbol<Chain>('Chain')
export const SENDER = symbol<HttpWebhookSender>('WebhookSender')
/** Sends to the operator's mail gateway, which may have a private address. */
export const NOTICE_SENDER = symbol<HttpWebhookSender>('NoticeSender')
export const QUEUE = symbol<WebhookQueue | undefined>('WebhookQueue')

/** Bound once for each noun: `getAll` starts the loops. */
export const LOOPS = symbol<readonly NamedLoop[]>('Loops')
