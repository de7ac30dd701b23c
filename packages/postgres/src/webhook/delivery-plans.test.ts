import { backlogStatements } from '../backlog/backlog-store.ts'
import { deliveryListStatements } from './delivery-list.ts'
import { endpointControlStatements } from './endpoint-control-store.ts'
import { recordStatements } from './record-attempts.ts'
import { eventStatements } from '../event/event-store.ts'
import { expectPlans } from '../test/plans.fixture.ts'
import { webhookStatements } from './webhook-store.ts'

const statements = [
  ...backlogStatements,
  ...webhookStatements,
  ...endpointControlStatements,
  ...recordStatements,
  ...deliveryListStatements,
  ...eventStatements,
]

expectPlans(
  statements,
  {
    'backlog.deliveries': { delivery_open_due: 2 },
    'backlog.others': { webhook_endpoint_paused: 0 },
    'backlog.payouts': { payout_open_pkey: 0 },
    'webhook.find': { webhook_endpoint_pkey: 1 },
    'webhook.get': { webhook_endpoint_newest: 1 },
    'webhook.list': { webhook_endpoint_newest: 2 },
    'webhook.list_by_other_keys': { webhook_endpoint_pkey: 1 },
    'webhook.queued': { webhook_endpoint_newest: 1 },
    'delivery.recorded_attempts': { delivery_pkey: 3, delivery_open_pkey: 2, webhook_endpoint_pkey: 1 },
    'delivery.get': { webhook_endpoint_newest: 1, delivery_open_pkey: 2, delivery_pkey: 3 },
    'delivery.list': { webhook_endpoint_newest: 1, delivery_open_pkey: 2, delivery_pkey: 3 },
    'delivery.list_pending': { webhook_endpoint_newest: 1, delivery_open_pkey: 2 },
    'delivery.list_held': { webhook_endpoint_newest: 1, delivery_open_pkey: 2 },
    'delivery.list_delivered': { webhook_endpoint_newest: 1, delivery_pkey: 3 },
    'delivery.list_exhausted': { webhook_endpoint_newest: 1, delivery_endpoint_id_event_id_idx: 2 },
    'event.get': { payout_end_log: 2, funding_entry_pkey: 2 },
    'event.list': { payout_end_log: 4, funding_entry_pkey: 4 },
    'event.last_scanned': { payout_end_log: 4, funding_entry_pkey: 4 },
    'event.list_completed': { payout_end_log: 4 },
    'event.list_exceptions': { payout_end_exceptions_log: 5 },
    'event.list_funding': { funding_entry_type: 5 },
  },
  ['quipu.delivery_open'],
)
