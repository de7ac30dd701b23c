import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// What a claim takes of a log whose entries have the positions and instants of another tenant's.

const noRows = 'delete from quipu.delivery_open'
const isDue = `update quipu.delivery_cursor set is_due = true where endpoint_id = 'we_c'`

const effects: readonly Effect[] = [
  [
    'an event that is queued for a worker is the tenant’s own',
    `quipu.claim_deliveries(1, 60, 99, 99, false, 50, false, '', false, ${now})`,
    [
      'returns we_c: attempt=1 bodies= event_ids=[2-16] secrets=["secret of we_c"] url=we_c.example',
      'delivery_cursor we_c: seq=16',
      'delivery_open we_c 2-16: due_at=11:00:00.008 event_type=deposit.in_review generation=3 next_at=12:01:00 out_until=12:01:00 recorded_at=11:00:00.008',
      'endpoint_filter we_c 16: deleted',
    ],
    [noRows, isDue],
  ],
  [
    'past the last event that the filter matches, the cursor moves to the end of the log',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_c: attempt=1 bodies=2-17 body_sizes=[4] event_ids=[2-17] fencing_token=1 run_seq=17 secrets=["secret of we_c"] url=we_c.example',
      'delivery_cursor we_c: is_due=false logged_at=11:00:00.011 seq=21',
      'delivery_run we_c 17: event_ids=[2-17] first_at=11:00:00.009 first_seq=17 generation=3 leased_until=12:01:00',
    ],
    [
      noRows,
      isDue,
      `delete from quipu.endpoint_filter where endpoint_id = 'we_c'`,
      `update quipu.webhook_endpoint set events = '{payout.cancelled}' where id = 'we_c'`,
    ],
  ],
  [
    'an event that is logged at an instant of the cursor is past it by its position',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_c: attempt=1 bodies=2-16 body_sizes=[4] event_ids=[2-16] fencing_token=1 run_seq=16 secrets=["secret of we_c"] url=we_c.example',
      'delivery_cursor we_c: is_due=false logged_at=11:00:00.011 open_seq=16 seq=21',
      'delivery_run we_c 16: event_ids=[2-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'endpoint_filter we_c 16: deleted',
    ],
    [
      noRows,
      'delete from quipu.delivery_run',
      isDue,
      `update quipu.webhook_endpoint set events = '{payout.failed}' where id = 'we_c'`,
    ],
  ],
  [
    'a row past the cursor takes no place within the limit of an endpoint',
    `quipu.claim_deliveries(99, 60, 5, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_c: attempt=1 bodies=2-18 body_sizes=[4] event_ids=[2-18] fencing_token=1 run_seq=18 secrets=["secret of we_c"] url=we_c.example',
      'delivery_cursor we_c: logged_at=11:00:00.009 seq=18',
      'delivery_run we_c 18: event_ids=[2-18] first_at=11:00:00.009 first_seq=18 generation=3 leased_until=12:01:00',
    ],
    [
      isDue,
      `delete from quipu.endpoint_filter where endpoint_id = 'we_c'`,
      `update quipu.delivery_cursor set seq = 16 where endpoint_id = 'we_c'`,
      `delete from quipu.delivery_open where endpoint_id <> 'we_c' or event_id in ('2-10', '2-11')`,
      `update quipu.delivery_open set next_at = next_at + interval '5 s' where event_id = '2-17'`,
    ],
  ],
]

testEffects(effects)
