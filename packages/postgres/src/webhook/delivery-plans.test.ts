import { backlogStatements } from '../backlog-store.ts'
import { claimStatements } from './delivery-claims.ts'
import { deliveryListStatements } from './delivery-list.ts'
import { deliveryStatements } from './delivery-store.ts'
import { eventStatements } from '../event/event-store.ts'
import { expectPlans } from '../test/plans.fixture.ts'
import { webhookStatements } from './webhook-store.ts'

const statements = [
  ...backlogStatements,
  ...webhookStatements,
  ...claimStatements,
  ...deliveryListStatements,
  ...deliveryStatements,
  ...eventStatements,
]

expectPlans(
  statements,
  {
    'backlog.deliveries': { delivery_open_due: 2 },
    'backlog.payouts': { payout_open_pkey: 0 },
    'webhook.lock_tenant': { tenant_pkey: 1 },
    'webhook.insert': { webhook_endpoint_newest: 1 },
    'webhook.get': { webhook_endpoint_newest: 1 },
    'webhook.list': { webhook_endpoint_newest: 2 },
    'webhook.queued': { webhook_endpoint_newest: 1, delivery_open_pkey: 1 },
    'webhook.update': { webhook_endpoint_newest: 1 },
    'webhook.lock_secrets': { webhook_endpoint_newest: 1 },
    'webhook.replace_secrets': { webhook_endpoint_pkey: 1 },
    'delivery.claim': {
      delivery_open_pkey: 2,
      webhook_endpoint_pkey: 1,
      event_tenant_id_type_recorded_at_id_idx: 4,
    },
    'delivery.take_back': { delivery_open_pkey: 2 },
    'delivery.get': { webhook_endpoint_newest: 1, delivery_open_pkey: 2, delivery_pkey: 3 },
    'delivery.list': { webhook_endpoint_newest: 1, delivery_open_pkey: 2, delivery_pkey: 3 },
    'delivery.list_pending': { webhook_endpoint_newest: 1, delivery_open_pkey: 2 },
    'delivery.list_held': { webhook_endpoint_newest: 1, delivery_open_pkey: 2 },
    'delivery.list_delivered': { webhook_endpoint_newest: 1, delivery_pkey: 3 },
    'delivery.list_exhausted': {
      webhook_endpoint_newest: 1,
      delivery_endpoint_id_event_id_idx: 2,
    },
    'delivery.resend': { webhook_endpoint_newest: 1, delivery_pkey: 3 },
    'delivery.resend_held': { webhook_endpoint_newest: 1, delivery_open_pkey: 2 },
    'event.get': { event_tenant_id_type_recorded_at_id_idx: 3 },
    'event.list': { event_tenant_id_type_recorded_at_id_idx: 5 },
  },
  ['quipu.delivery_open'],
)
