import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// A claim by name leases this delivery, and changes nothing else.

const paused = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = 'we_a'`

const effects: readonly Effect[] = [
  ['one that was exhausted is refused', `quipu.claim_delivery('we_a', '1-1', 30, ${now})`, []],
  ['one that was delivered in a run is refused', `quipu.claim_delivery('we_a', '1-4', 30, ${now})`, []],
  ['one whose retry is due later is refused', `quipu.claim_delivery('we_a', '1-7', 30, ${now})`, []],
  ['one that is leased is refused', `quipu.claim_delivery('we_a', '1-8', 30, ${now})`, []],
  [
    'one that is queued for a worker is leased',
    `quipu.claim_delivery('we_a', '1-9', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-9 body_sizes=[3] event_ids=[1-9] fencing_token=1 secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-9: fencing_token=1 is_leased=true next_at=12:00:30 out_until=12:00:30',
    ],
  ],
  [
    'one whose lease ends now is leased, with a new retry schedule',
    `quipu.claim_delivery('we_a', '1-10', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-10 body_sizes=[4] event_ids=[1-10] fencing_token=3 lost_leases=1 secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-10: attempt_count=0 fencing_token=3 generation=3 lost_leases=1 next_at=12:00:30 out_until=12:00:30',
    ],
  ],
  [
    'one that is resent is leased as a resend',
    `quipu.claim_delivery('we_a', '1-11', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:00:30 out_until=12:00:30',
    ],
  ],
  ['one of a leased run is refused', `quipu.claim_delivery('we_a', '1-12', 30, ${now})`, []],
  [
    'one of a run whose lease ends now leaves the run',
    `quipu.claim_delivery('we_a', '1-14', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-14 body_sizes=[4] event_ids=[1-14] fencing_token=2 lost_leases=1 secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-14: event_type=payout.completed fencing_token=2 generation=3 is_leased=true lost_leases=1 next_at=12:00:30 out_until=12:00:30 recorded_at=11:00:00.007',
      'delivery_run we_a 14: event_ids=[1-15]',
    ],
  ],
  [
    'one past the cursor, by the filter of its time, is leased',
    `quipu.claim_delivery('we_a', '1-16', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-16: event_type=deposit.in_review fencing_token=1 generation=3 is_leased=true next_at=12:00:30 out_until=12:00:30 recorded_at=11:00:00.008',
    ],
  ],
  [
    'one past the cursor with a row of its own is leased by it',
    `quipu.claim_delivery('we_a', '1-17', 30, ${now})`,
    [
      'returns we_a: attempt=2 bodies=1-17 body_sizes=[4] event_ids=[1-17] fencing_token=2 secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-17: fencing_token=2 is_leased=true next_at=12:00:30 out_until=12:00:30',
    ],
  ],
  [
    'the last entry of the log is leased',
    `quipu.claim_delivery('we_a', '1-18', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-18 body_sizes=[4] event_ids=[1-18] fencing_token=1 secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: ahead_seq=18',
      'delivery_open we_a 1-18: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:30 out_until=12:00:30 recorded_at=11:00:00.009',
    ],
  ],
  [
    "one that the endpoint's filter does not match is refused",
    `quipu.claim_delivery('we_a', '1-16', 30, ${now})`,
    [],
    [`delete from quipu.endpoint_filter where endpoint_id = 'we_a'`],
  ],
  ["another tenant's event is refused", `quipu.claim_delivery('we_a', '2-18', 30, ${now})`, []],
  ['nothing is claimed at an endpoint that does not exist', `quipu.claim_delivery('we_x', '1-18', 30, ${now})`, []],
  [
    'nothing but a resend is claimed at a paused endpoint (due)',
    `quipu.claim_delivery('we_a', '1-10', 30, ${now})`,
    [],
    [paused],
  ],
  [
    'nothing but a resend is claimed at a paused endpoint (resent)',
    `quipu.claim_delivery('we_a', '1-11', 30, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:00:30 out_until=12:00:30',
    ],
    [paused],
  ],
  [
    'at another endpoint of the tenant, its own run is read',
    `quipu.claim_delivery('we_b', '1-14', 30, ${now})`,
    [
      'returns we_b: attempt=1 bodies=1-14 body_sizes=[4] event_ids=[1-14] fencing_token=2 lost_leases=1 secrets=["secret of we_b"] url=we_b.example',
      'delivery_open we_b 1-14: event_type=payout.completed fencing_token=2 generation=3 is_leased=true lost_leases=1 next_at=12:00:30 out_until=12:00:30 recorded_at=11:00:00.007',
      'delivery_run we_b 14: event_ids=[1-15]',
    ],
  ],
  [
    'at another tenant, its own cursor is read',
    `quipu.claim_delivery('we_c', '2-18', 30, ${now})`,
    [
      'returns we_c: attempt=1 bodies=2-18 body_sizes=[4] event_ids=[2-18] fencing_token=1 secrets=["secret of we_c"] url=we_c.example',
      'delivery_cursor we_c: ahead_seq=18',
      'delivery_open we_c 2-18: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:30 out_until=12:00:30 recorded_at=11:00:00.009',
    ],
  ],
]

testEffects(effects)
