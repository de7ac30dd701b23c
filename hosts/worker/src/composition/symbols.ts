import type { PayoutStore, ResumePayout } from '@quipu/core'
import type { PostgresStores } from '@quipu/postgres'
import type { HttpQrNetwork } from '@quipu/qr-network'
import type { DatabaseWatch, PollingLoop } from '@quipu/runtime'
import type { ServiceIdentifier } from 'inversify'
import type { ClaimLoop } from '../loop/claim-loop.ts'

/** A name that remembers its type; at run time it is only a symbol. */
export const named = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const STORES = named<PostgresStores>('Stores')
export const PAYOUTS = named<PayoutStore>('PayoutStore')
export const NETWORK = named<HttpQrNetwork>('QrNetwork')
export const RESUME = named<ResumePayout>('ResumePayout')
export const RESUME_LOOP = named<ClaimLoop>('ResumeLoop')
export const DATABASE_WATCH = named<DatabaseWatch>('DatabaseWatch')
export const PARTITIONS = named<PollingLoop>('Partitions')
export const CHECKPOINTS = named<PollingLoop>('Checkpoints')
export const LEDGER_WATCH = named<PollingLoop>('LedgerWatch')
