import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// A reactivation beside another endpoint of the tenant in another state, and of resends that are due later.

const reactivate = (tenantId: string, id: string) =>
  `quipu.reactivate_endpoint('${tenantId}', '${id}', 1, ${now}, ${now})`
const paused = (id: string) =>
  `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now}, operator_paused_at = ${now},
     operator_paused_by = 'eva', operator_pause_reason = 'x' where id = '${id}'`

const effects: readonly Effect[] = [
  [
    'an active endpoint beside one that an operator has paused',
    reactivate('ten_1', 'we_b'),
    [
      'returns: redelivered=0 requeued=1',
      'delivery_cursor we_b: is_due=true',
      'delivery_open we_b 1-7: next_at=12:00:00',
      'webhook_endpoint we_b: catch_up_at=12:00:00 generation=4 updated_at=12:00:00',
    ],
    [paused('we_a')],
  ],
  ['an endpoint that an operator has paused, beside an active one', reactivate('ten_1', 'we_a'), [], [paused('we_a')]],
  [
    'a resend that is due later',
    reactivate('ten_1', 'we_a'),
    [
      'returns: redelivered=0 requeued=1',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 updated_at=12:00:00',
    ],
    [
      `update quipu.delivery_open set next_at = ${now} + interval '5 s'
       where endpoint_id = 'we_a' and event_id = '1-11'`,
    ],
  ],
  [
    'two resends of queued deliveries',
    reactivate('ten_1', 'we_a'),
    [
      'returns: redelivered=0 requeued=1',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-11: return_to=null',
      'delivery_open we_a 1-17: return_to=null',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 updated_at=12:00:00',
    ],
    [
      `update quipu.delivery_open set return_to = 'queued', ended_at = null
       where endpoint_id = 'we_a' and event_id in ('1-11', '1-17')`,
    ],
  ],
]

testEffects(effects)
