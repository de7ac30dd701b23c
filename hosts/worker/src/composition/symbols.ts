import type { QrNetwork, Screen, Screening, WebhookSender } from '@quipu/core'
import type { DatabaseClock, DatabaseWatch, Metrics, NamedLoop, PollingLoop, thisProcess } from '@quipu/runtime'
import type { ServiceIdentifier } from 'inversify'
import type { Chain, WebhookQueue, WorkerStores } from '../ports.ts'

/** A symbol with the type of what is bound to it. */
const symbol = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const CLOCK = symbol<DatabaseClock>('Clock')
export const METRICS = symbol<Metrics>('Metrics')
export const STORES = symbol<WorkerStores>('Stores')
export const DATABASE_WATCH = symbol<DatabaseWatch>('DatabaseWatch')
/** This process, as it is recorded. */
export const IDENTITY = symbol<ReturnType<typeof thisProcess>>('Identity')
/** Records that this process runs. */
export const HEARTBEATS = symbol<PollingLoop>('Heartbeats')
export const NETWORK = symbol<QrNetwork>('QrNetwork')
/** Undefined where nobody is screened. */
export const SCREENING = symbol<Screening | undefined>('Screening')
/** Undefined where nobody is screened. */
export const SCREEN = symbol<Screen | undefined>('Screen')
export const CHAIN = symbol<Chain>('Chain')
export const SENDER = symbol<WebhookSender>('WebhookSender')
/** Sends to the operator's mail gateway, which may have a private address. */
export const NOTICE_SENDER = symbol<WebhookSender>('NoticeSender')
export const QUEUE = symbol<WebhookQueue | undefined>('WebhookQueue')

/** Bound once for each noun: `getAll` starts the loops. */
export const LOOPS = symbol<readonly NamedLoop[]>('Loops')
