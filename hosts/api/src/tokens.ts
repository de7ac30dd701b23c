import type {
  Authenticate,
  Clock,
  CreatePayout,
  CreateQuote,
  Ids,
  ManageKeys,
  ManageTenants,
  QrNetwork,
  RandomBytes,
  RateSource,
  ResolveQr,
  SandboxQrIssuer,
  Stores as EveryStore,
  Timer,
} from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import type { Background, Logger } from '@quipu/runtime'
import type { Express } from 'express'
import type { ServiceIdentifier } from 'inversify'

/** What the API keeps its records in. */
export type Stores = Pick<
  EveryStore,
  'payouts' | 'quotes' | 'resolutions' | 'wallets' | 'tenants' | 'apiKeys'
> & {
  /** @throws Unavailable when the records cannot be reached */
  ping(): Promise<void>
}

/** Time, chance, logs, and work that outlives its request. */
export type System = {
  readonly now: Clock
  readonly timer: Timer
  readonly ids: Ids
  readonly random: RandomBytes
  readonly log: Logger
  readonly background: Background
  /** False once the process has been told to stop. */
  readonly isServing: () => boolean
}

/** A name that remembers its type; at run time it is only a symbol. */
const named = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const SYSTEM = named<System>('System')
export const STORES = named<Stores>('Stores')
export const NETWORK = named<Pick<QrNetwork, 'readQr' | 'pay'>>('QrNetwork')
export const RATES = named<RateSource>('RateSource')
/** Undefined where there are no test QRs. */
export const SANDBOX_QRS = named<SandboxQrIssuer | undefined>('SandboxQrIssuer')
/** Undefined where the network has no secret with us. */
export const CALLBACKS = named<NetworkCallbacks | undefined>('NetworkCallbacks')

export const AUTHENTICATE = named<Authenticate>('Authenticate')
export const CREATE_PAYOUT = named<CreatePayout>('CreatePayout')
export const RESOLVE_QR = named<ResolveQr>('ResolveQr')
export const CREATE_QUOTE = named<CreateQuote>('CreateQuote')
export const MANAGE_TENANTS = named<ManageTenants>('ManageTenants')
export const MANAGE_KEYS = named<ManageKeys>('ManageKeys')

export const PUBLIC_APP = named<Express>('PublicApp')
export const OPERATOR_APP = named<Express>('OperatorApp')
