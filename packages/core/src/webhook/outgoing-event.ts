import type { DepositEvent } from '../deposit/deposit.ts'
import type { EncodeEventOf, EventOf } from '../event/event.ts'
import type { WalletEvent } from '../ledger/ledger.ts'
import type { PayoutEvent } from '../payout/payout.ts'

/** An event that a tenant's endpoints receive. @source spec §6 */
export type TenantEvent = PayoutEvent | DepositEvent | WalletEvent

/** The event of an endpoint's test: sent to that endpoint only and not stored. @source spec §6 */
export type WebhookTestEvent = EventOf<'webhook.test', { readonly webhookId: string }>

/** An event that can be sent to an endpoint. */
export type OutgoingEvent = TenantEvent | WebhookTestEvent

/** Encodes every event that can be sent. */
export type EncodeEvent = EncodeEventOf<OutgoingEvent>
