import { presentedBy } from '@quipu/contracts'
import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// A resend changes this delivery, and no other.

const ana = presentedBy('ana')
const paused = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = 'we_a'`

const effects: readonly Effect[] = [
  [
    'one that was exhausted is due for one attempt',
    `quipu.resend_delivery('ten_1', 'we_a', '1-1', ${now})`,
    [
      'returns: committed',
      'delivery we_a 1-1: deleted',
      'delivery_open we_a 1-1: attempts=[{}] ended_at=11:30:00 event_type=payout.completed fencing_token=5 generation=3 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=5 return_to=exhausted',
    ],
  ],
  [
    'one that was delivered after a failed attempt is due for one attempt',
    `quipu.resend_delivery('ten_1', 'we_a', '1-2', ${now})`,
    [
      'returns: committed',
      'delivery we_a 1-2: deleted',
      'delivery_open we_a 1-2: attempts=[{}] ended_at=11:30:00 event_type=payout.failed fencing_token=2 generation=3 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=2 return_to=delivered',
    ],
  ],
  [
    'one of two that were delivered together is due for one attempt',
    `quipu.resend_delivery('ten_1', 'we_a', '1-3', ${now})`,
    [
      'returns: committed',
      'delivered_run we_a 3.0: deleted',
      'delivery we_a 1-5: attempts=[{"at" : "2026-05-01T11:29:05.000Z", "statusCode" : 205, "latencyMs" : 5, "error" : null, "excerpt" : null}] ended_at=11:30:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.003 status=delivered',
      'delivery_open we_a 1-3: attempts=[{"at" : "2026-05-01T11:29:03.000Z", "statusCode" : 203, "latencyMs" : 3, "error" : null, "excerpt" : null}] ended_at=11:30:00 event_type=payout.completed fencing_token=1 generation=3 next_at=12:00:00 recorded_at=11:00:00.002 recorded_token=1 return_to=delivered',
    ],
  ],
  [
    'one that was recorded apart from the others of its run is due for one attempt',
    `quipu.resend_delivery('ten_1', 'we_a', '1-4', ${now})`,
    [
      'returns: committed',
      'delivered_run we_a 3.2: deleted',
      'delivery_open we_a 1-4: attempts=[{"at" : "2026-05-01T11:29:04.000Z", "statusCode" : 204, "latencyMs" : 4, "error" : null, "excerpt" : "ok 4"}] ended_at=11:30:00 event_type=deposit.pending fencing_token=1 generation=3 next_at=12:00:00 recorded_at=11:00:00.002 recorded_token=1 return_to=delivered',
    ],
  ],
  [
    'one that was delivered in a run of its own is due for one attempt',
    `quipu.resend_delivery('ten_1', 'we_a', '1-6', ${now})`,
    [
      'returns: committed',
      'delivered_run we_a 6.0: deleted',
      'delivery_open we_a 1-6: attempts=[{"at" : "2026-05-01T11:29:06.000Z", "statusCode" : 206, "latencyMs" : 6, "error" : null, "excerpt" : null}] ended_at=11:30:00 event_type=payout.completed fencing_token=1 generation=3 next_at=12:00:00 recorded_at=11:00:00.003 recorded_token=1 return_to=delivered',
    ],
  ],
  [
    'one that waits for a retry is pending anyway',
    `quipu.resend_delivery('ten_1', 'we_a', '1-7', ${now})`,
    ['returns: pending'],
  ],
  [
    'one that is leased is pending anyway',
    `quipu.resend_delivery('ten_1', 'we_a', '1-8', ${now})`,
    ['returns: pending'],
  ],
  [
    'one of a leased run is pending anyway',
    `quipu.resend_delivery('ten_1', 'we_a', '1-12', ${now})`,
    ['returns: pending'],
  ],
  [
    'one of an expired run is pending anyway',
    `quipu.resend_delivery('ten_1', 'we_a', '1-14', ${now})`,
    ['returns: pending'],
  ],
  [
    'one past the cursor is pending anyway',
    `quipu.resend_delivery('ten_1', 'we_a', '1-16', ${now})`,
    ['returns: pending'],
  ],
  [
    'at a paused endpoint, one that waits for a retry is due',
    `quipu.resend_delivery('ten_1', 'we_a', '1-7', ${now})`,
    ['returns: committed', 'delivery_open we_a 1-7: next_at=12:00:00 return_to=queued'],
    [paused],
  ],
  [
    'at a paused endpoint, one that is leased is pending',
    `quipu.resend_delivery('ten_1', 'we_a', '1-8', ${now})`,
    ['returns: pending'],
    [paused],
  ],
  [
    'at a paused endpoint, one that is queued for a worker is pending',
    `quipu.resend_delivery('ten_1', 'we_a', '1-9', ${now})`,
    ['returns: pending'],
    [paused],
  ],
  [
    'at a paused endpoint, one whose lease ends now is due',
    `quipu.resend_delivery('ten_1', 'we_a', '1-10', ${now})`,
    ['returns: committed', 'delivery_open we_a 1-10: is_leased=false lost_leases=1 out_until=null return_to=queued'],
    [paused],
  ],
  [
    'at a paused endpoint, one that is resent is pending',
    `quipu.resend_delivery('ten_1', 'we_a', '1-11', ${now})`,
    ['returns: pending'],
    [paused],
  ],
  [
    'at a paused endpoint, one of a leased run is pending',
    `quipu.resend_delivery('ten_1', 'we_a', '1-12', ${now})`,
    ['returns: pending'],
    [paused],
  ],
  [
    'at a paused endpoint, one of an expired run is due',
    `quipu.resend_delivery('ten_1', 'we_a', '1-14', ${now})`,
    [
      'returns: committed',
      'delivery_open we_a 1-14: event_type=payout.completed fencing_token=1 generation=3 lost_leases=1 next_at=12:00:00 recorded_at=11:00:00.007 return_to=queued',
      'delivery_run we_a 14: event_ids=[1-15]',
    ],
    [paused],
  ],
  [
    'at a paused endpoint, one past the cursor is due',
    `quipu.resend_delivery('ten_1', 'we_a', '1-18', ${now})`,
    [
      'returns: committed',
      'delivery_cursor we_a: ahead_seq=18',
      'delivery_open we_a 1-18: event_type=payout.completed generation=3 next_at=12:00:00 recorded_at=11:00:00.009 return_to=queued',
    ],
    [paused],
  ],
  [
    'an event that does not exist is not found',
    `quipu.resend_delivery('ten_1', 'we_a', '1-40', ${now})`,
    ['returns: not_found'],
    [paused],
  ],
  [
    'at another tenant, it is not found',
    `quipu.resend_delivery('ten_2', 'we_a', '1-1', ${now})`,
    ['returns: not_found'],
  ],
  [
    'an event that no endpoint has any more is not found',
    `quipu.resend_delivery('ten_1', 'we_a', '1-12', ${now})`,
    ['returns: not_found'],
    [`delete from quipu.delivery_run where endpoint_id = 'we_a'`],
  ],
  [
    "while an operator's pause lasts, only an operator resends",
    `quipu.resend_delivery('ten_1', 'we_a', '1-1', ${now})`,
    ['returns: paused_by_operator'],
    [
      paused,
      `update quipu.webhook_endpoint set operator_paused_at = ${now}, operator_paused_by = 'eva', operator_pause_reason = 'x' where id = 'we_a'`,
    ],
  ],
  [
    'one beside a run of the same instant leaves that run',
    `quipu.resend_delivery('ten_1', 'we_a', '1-6', ${now})`,
    [
      'returns: committed',
      'delivered_run we_a 6.0: deleted',
      'delivery_open we_a 1-6: attempts=[{"at" : "2026-05-01T11:29:06.000Z", "statusCode" : 206, "latencyMs" : 6, "error" : null, "excerpt" : null}] ended_at=11:30:00 event_type=payout.completed fencing_token=1 generation=3 next_at=12:00:00 recorded_at=11:00:00.003 recorded_token=1 return_to=delivered',
    ],
    [`update quipu.delivered_run set first_at = '2026-05-01T11:00:00.003Z' where first_seq = 3 and part = 0`],
  ],
  [
    'one that is open at another endpoint only is not found',
    `quipu.resend_delivery('ten_1', 'we_a', '1-8', ${now})`,
    ['returns: not_found'],
    [`delete from quipu.delivery_open where endpoint_id = 'we_a'`],
  ],
  [
    'one that is past the cursor of another endpoint only is not found',
    `quipu.resend_delivery('ten_1', 'we_a', '1-18', ${now})`,
    ['returns: not_found'],
    [`update quipu.delivery_cursor set seq = 18, logged_at = ${now} where endpoint_id = 'we_a'`],
  ],
  [
    "an operator's resend makes it due, too",
    `quipu.resend_as_operator('ten_1', 'we_a', '1-1', '${ana}', ${now}, ${now})`,
    [
      'returns: committed',
      'audit_log we_a webhook.resend: action=webhook.resend actor=ana address=192.0.2.7 after={"event_id":"019de332-0781-7000-8000-000000000198"} at=12:00:00 subject=we_a token_id=opt_024D4B96F58DA6D4A8512313BB',
      'delivery we_a 1-1: deleted',
      'delivery_open we_a 1-1: attempts=[{}] ended_at=11:30:00 event_type=payout.completed fencing_token=5 generation=3 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=5 return_to=exhausted',
    ],
    [
      paused,
      `update quipu.webhook_endpoint set operator_paused_at = ${now}, operator_paused_by = 'eva', operator_pause_reason = 'x' where id = 'we_a'`,
    ],
  ],
  [
    "an operator's resend of a pending one has no audit entry",
    `quipu.resend_as_operator('ten_1', 'we_a', '1-8', '${ana}', ${now}, ${now})`,
    ['returns: pending'],
  ],
  [
    'an operator names the tenant, too',
    `quipu.resend_as_operator('ten_2', 'we_a', '1-1', '${ana}', ${now}, ${now})`,
    ['returns: not_found'],
  ],
]

testEffects(effects)
