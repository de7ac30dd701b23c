import type {
  AddressFormat,
  AddressSource,
  Authenticate,
  Clock,
  CreatePayout,
  CreateQuote,
  EnsureTopUpAddress,
  Ids,
  Monotonic,
  ManageApiKeys,
  ManageTenants,
  ManageWebhooks,
  QrNetwork,
  RandomBytes,
  RateSource,
  Reactivated,
  Reconcile,
  RequestFaucet,
  RequestFaucetPorts,
  ResolveQr,
  ReviewDeposits,
  RotateTopUpAddress,
  SandboxQrIssuer,
  SecretBox,
  Stores as EveryStore,
  TestWebhook,
  Timer,
  WebhookSender,
  WebhookUrlGuard,
} from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import type { Background, Logger } from '@quipu/runtime'
import type { Express } from 'express'
import type { ServiceIdentifier } from 'inversify'
import type { Extension } from './extension.ts'
import type { Figures } from './metrics/api-metrics.ts'

/** What the API keeps its records in. */
export type Stores = Pick<
  EveryStore,
  | 'payouts'
  | 'quotes'
  | 'resolutions'
  | 'wallets'
  | 'tenants'
  | 'apiKeys'
  | 'addresses'
  | 'scans'
  | 'deposits'
  | 'faucet'
  | 'events'
  | 'webhooks'
  | 'deliveries'
  | 'backlog'
  | 'audit'
> & {
  /**
   * Makes a durable write, and answers the store's time.
   *
   * @throws Unavailable when nothing can be written durably
   */
  ping(): Promise<{ readonly now: Date }>
}

/** Time, chance, logs, and work that outlives its request. */
export type System = {
  readonly now: Clock
  readonly monotonic: Monotonic
  readonly timer: Timer
  readonly ids: Ids
  readonly random: RandomBytes
  readonly log: Logger
  readonly background: Background
  /** False once the process has been told to stop. */
  readonly isServing: () => boolean
  /** How far the process's clock is ahead of the database's; left out where there is only one. */
  readonly clockAheadMs?: () => number
}

/** Where top-up addresses come from, and what seals them. */
export type TopUps = { readonly source: AddressSource; readonly addressMacKey: Uint8Array }

/** The chain that the faucet sends test tokens on. */
export type FaucetChain = Pick<RequestFaucetPorts, 'reader' | 'signer' | 'broadcaster'> & {
  readonly format: Pick<AddressFormat, 'parse'>
}

/** Gives out test tokens. */
export type Faucet = Pick<FaucetChain, 'format'> & { readonly request: RequestFaucet }

/** What sends webhooks, says where they may lead, and keeps what they are signed with. */
export type WebhookPorts = {
  readonly sender: WebhookSender
  readonly urlGuard: WebhookUrlGuard
  readonly secretBox: SecretBox
  /** What signatures are dated by, when it is not the system's clock. */
  readonly signedAt?: Clock
}

/** What tenants do to their webhook endpoints. */
export type WebhookActions = ManageWebhooks & {
  readonly test: TestWebhook
  /** Undefined: no such endpoint. */
  readonly reactivate: (tenantId: string, id: string) => Promise<Reactivated | undefined>
}

/** A name that remembers its type; at run time it is only a symbol. */
export const named = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const SYSTEM = named<System>('System')
export const STORES = named<Stores>('Stores')
export const NETWORK = named<Pick<QrNetwork, 'readQr' | 'pay'>>('QrNetwork')
export const RATES = named<RateSource>('RateSource')
/** Undefined where there are no test QRs. */
export const SANDBOX_QRS = named<SandboxQrIssuer | undefined>('SandboxQrIssuer')
/** Undefined where the network has no secret with us. */
export const CALLBACKS = named<NetworkCallbacks | undefined>('NetworkCallbacks')
/** Undefined where no chain is watched: wallets have no top-up addresses. */
export const TOP_UPS = named<TopUps | undefined>('TopUps')
/** Undefined where there is no faucet. */
export const FAUCET_CHAIN = named<FaucetChain | undefined>('FaucetChain')
/** Undefined where there are no webhooks. */
export const WEBHOOK_PORTS = named<WebhookPorts | undefined>('WebhookPorts')
export const EXTENSION = named<Extension>('Extension')
export const FIGURES = named<Figures>('Figures')

export const AUTHENTICATE = named<Authenticate>('Authenticate')
export const CREATE_PAYOUT = named<CreatePayout>('CreatePayout')
export const RESOLVE_QR = named<ResolveQr>('ResolveQr')
export const CREATE_QUOTE = named<CreateQuote>('CreateQuote')
export const MANAGE_TENANTS = named<ManageTenants>('ManageTenants')
export const MANAGE_KEYS = named<ManageApiKeys>('ManageKeys')
export const ENSURE_TOP_UP = named<EnsureTopUpAddress | undefined>('EnsureTopUpAddress')
export const ROTATE_TOP_UP = named<RotateTopUpAddress>('RotateTopUpAddress')
export const REVIEW_DEPOSITS = named<ReviewDeposits>('ReviewDeposits')
export const RECONCILE = named<Reconcile>('Reconcile')
export const FAUCET = named<Faucet | undefined>('Faucet')
export const WEBHOOK_ACTIONS = named<WebhookActions | undefined>('WebhookActions')

export const PUBLIC_APP = named<Express>('PublicApp')
export const OPERATOR_APP = named<Express>('OperatorApp')
