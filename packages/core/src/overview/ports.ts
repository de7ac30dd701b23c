import type { ActivityQuery, PayoutActivity } from './payout-activity.ts'
import type { EventQuery, EventRecord } from '../event/event.ts'
import type { FaucetSend, FaucetStatus } from '../faucet/faucet.ts'
import type { Bob, Usdt } from '../money.ts'
import type { Page, PageQuery } from '../page.ts'
import type { RaisedAlerts } from '../payout/alerts.ts'
import type { Payout, PayoutErrorCode, PayoutStatus } from '../payout/payout.ts'
import type { Wallet } from '../ledger/ledger.ts'
import type { Delivery } from '../webhook/delivery.ts'
import type { WebhookEndpoint } from '../webhook/endpoint.ts'

/** The work on a payout in `processing`. */
export type OpenPayout = {
  /** How often workers have claimed it; 0 during the first lease, that of its request. */
  readonly claimCount: number
  /** How many status calls about it the network did not answer. */
  readonly unanswered: number
  /** When a worker may claim it: the end of its lease, or the next status call. */
  readonly dueAt: Date
  /** The alerts raised about it. */
  readonly raised: RaisedAlerts
}

/** A payout of any tenant. */
export type PayoutOverview = {
  readonly payout: Payout
  /** Null once the payout has ended. */
  readonly open: OpenPayout | null
}

/** A movement of a payout's money within its wallet or out of it. */
export type PayoutPosting = {
  readonly type: 'hold' | 'capture' | 'release'
  readonly amount: Usdt
  /** The wallet's balances after it. */
  readonly availableAfter: Usdt
  readonly heldAfter: Usdt
  readonly at: Date
}

/** A payout of any tenant with its postings and the id of its event. */
export type PayoutRecord = PayoutOverview & {
  /** Oldest first. Empty for a payout that ended before it was accepted. */
  readonly postings: readonly PayoutPosting[]
  /** Null while it is in `processing`, and for one that was rejected. */
  readonly eventId: string | null
}

/** A page of the payouts of all tenants, filtered. */
export type PayoutOverviewQuery = PageQuery & {
  readonly tenantId?: string
  readonly status?: PayoutStatus
  readonly errorCode?: PayoutErrorCode
  /** The tenants' own id: each tenant may have one payout with it. */
  readonly transactionId?: string
  /** The network's id of the payment. */
  readonly networkPaymentId?: string
  /** The network's reference of the QR. */
  readonly networkReference?: string
  /** The API key that asked for it. */
  readonly keyId?: string
  /** A part of the merchant's name, whatever its case and accents. */
  readonly merchant?: string
  /** Both inclusive: what the merchant gets. */
  readonly targetFrom?: Bob
  readonly targetTo?: Bob
  /** Only payouts in `processing` about which an alert was raised. */
  readonly isRaised?: boolean
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

/** A wallet of any tenant. */
export type WalletOverview = Omit<Wallet, 'usedToday' | 'lowBalanceThreshold'> & {
  /** The instant of the newest entry of the tenant's log; null while the log is empty. */
  readonly newestEntryAt: Date | null
}

/** A webhook endpoint of any tenant. */
export type EndpointOverview = {
  readonly endpoint: WebhookEndpoint
  /** How many of its deliveries are pending or held. */
  readonly queued: number
  /** When the event of the oldest of them was recorded; null when there is none. */
  readonly oldestQueuedAt: Date | null
  /** Whether its last answer was an error or took long. */
  readonly isSlow: boolean
  /** Its first failed attempt after the last one that succeeded; null when the last one succeeded. */
  readonly failingSince: Date | null
}

/** A page of the webhook endpoints of all tenants, filtered. */
export type EndpointOverviewQuery = PageQuery & {
  readonly tenantId?: string
  readonly status?: WebhookEndpoint['status']
}

/** A page of the faucet sends of all tenants, filtered. */
export type AllFaucetSendsQuery = PageQuery & {
  readonly tenantId?: string
  readonly status?: FaucetStatus
  /** The receiving address. */
  readonly address?: string
  readonly txHash?: string
}

/** A page of the events of all tenants, filtered. */
export type AllEventsQuery = EventQuery & {
  readonly tenantId?: string
  /** The id of a payout or deposit. */
  readonly subjectId?: string
}

/** The kinds of records that a search finds. */
export const recordTypes = [
  'tenant',
  'api_key',
  'wallet',
  'top_up_address',
  'payout',
  'quote',
  'resolution',
  'deposit',
  'faucet_send',
  'event',
  'webhook_endpoint',
  'delivery',
  'proposal',
  'difference',
  'reconciliation_run',
  'sweep_batch',
  'operator_token',
] as const
/** The kind of a record that a search found. */
export type RecordType = (typeof recordTypes)[number]

/** A record that a search found. */
export type FoundRecord = {
  readonly type: RecordType
  readonly id: string
  /** Null where no single tenant is concerned. */
  readonly tenantId: string | null
  /** A label for people: a name, a status, an address, a `transaction_id`. */
  readonly label: string
}

/** How many records of a kind a search finds at most. */
export const foundPerKindMax = 20

/**
 * Reads the records of all tenants, for operators. The other stores read within one tenant, so that an
 * endpoint for tenants cannot leave out the tenant.
 *
 * Lists are newest first. A page whose filter has no index reads a bounded number of rows: it may have fewer
 * items than its limit, and still a next page.
 *
 * Every method throws `Unavailable` when the database cannot be read.
 */
export type OverviewStore = {
  payouts(query: PayoutOverviewQuery): Promise<Page<PayoutOverview>>
  payout(id: string): Promise<PayoutRecord | undefined>
  /** The outcome of the newest payouts: reads at most `activityPayoutsMax` of them. */
  activity(query: ActivityQuery): Promise<PayoutActivity>
  wallets(query: PageQuery & { readonly tenantId?: string }): Promise<Page<WalletOverview>>
  endpoints(query: EndpointOverviewQuery): Promise<Page<EndpointOverview>>
  endpoint(id: string): Promise<EndpointOverview | undefined>
  /** Newest first by `id`, which begins with the instant of the request. */
  faucetSends(query: AllFaucetSendsQuery): Promise<Page<FaucetSend>>
  /** Newest first by (`recordedAt`, `id`). */
  events(query: AllEventsQuery): Promise<Page<EventRecord>>
  /** @param id  a UUID in lower case */
  event(id: string): Promise<EventRecord | undefined>
  /**
   * Records that this text names exactly, at most `foundPerKindMax` of each kind: by their id, by a payout's
   * `transaction_id`, by the transaction hash of a deposit, faucet send or sweep, by a top-up address. The id of a
   * sweep finds its batch. What names no record so is looked up as the network's reference of a QR or its id of a
   * payment, among the payouts in `processing` and the newest of those that have ended. In the order of `recordTypes`.
   */
  find(text: string): Promise<readonly FoundRecord[]>
  /** @param id  `deliveryId`; any other text finds nothing */
  delivery(id: string): Promise<Delivery | undefined>
  /** The deliveries of a tenant's event to all its endpoints. */
  deliveriesOf(tenantId: string, eventId: string): Promise<readonly Delivery[]>
}
