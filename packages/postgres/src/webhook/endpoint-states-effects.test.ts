import { presentedBy } from '@quipu/contracts'
import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// A pause or reactivation changes this endpoint and its deliveries, and no others.

const ana = presentedBy('ana')
const paused = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = 'we_a'`
const pausedByOperator = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} - interval '1 hour', operator_paused_at = ${now} - interval '1 hour', operator_paused_by = 'eva', operator_pause_reason = 'x' where id = 'we_a'`

const effects: readonly Effect[] = [
  [
    'an active one: retries and what was exhausted since then are due',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1800, ${now}, ${now})`,
    [
      'returns: redelivered=2 requeued=1',
      'delivery we_a 1-1: deleted',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-1: attempts=[{}] event_type=payout.completed fencing_token=5 generation=4 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=5',
      'delivery_open we_a 1-11: ended_at=null return_to=null',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 updated_at=12:00:00',
    ],
  ],
  [
    'an active one: what was exhausted before is not',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1799, ${now}, ${now})`,
    [
      'returns: redelivered=0 requeued=1',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 updated_at=12:00:00',
    ],
  ],
  [
    'an active one with nothing to send sooner stays in its generation',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1, ${now}, ${now})`,
    [
      'returns: redelivered=0 requeued=0',
      'delivery_cursor we_a: is_due=true',
      'webhook_endpoint we_a: updated_at=12:00:00',
    ],
    [`update quipu.delivery_open set next_at = ${now} where endpoint_id = 'we_a' and event_id = '1-7'`],
  ],
  [
    'a paused one: all that is queued is counted',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1800, ${now}, ${now})`,
    [
      'returns: redelivered=2 requeued=11',
      'delivery we_a 1-1: deleted',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-1: attempts=[{}] event_type=payout.completed fencing_token=5 generation=4 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=5',
      'delivery_open we_a 1-11: ended_at=null return_to=null',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 paused_at=null status=active updated_at=12:00:00',
    ],
    [paused],
  ],
  [
    'a paused one: resends of queued deliveries become ordinary',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1, ${now}, ${now})`,
    [
      'returns: redelivered=0 requeued=12',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-11: return_to=null',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 paused_at=null status=active updated_at=12:00:00',
    ],
    [
      paused,
      `update quipu.delivery_open set return_to = 'queued', ended_at = null where endpoint_id = 'we_a' and event_id = '1-11'`,
    ],
  ],
  [
    'a paused one: resends of delivered ones stay resends',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1800, ${now}, ${now})`,
    [
      'returns: redelivered=1 requeued=11',
      'delivery we_a 1-1: deleted',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-1: attempts=[{}] event_type=payout.completed fencing_token=5 generation=4 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=5',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 paused_at=null status=active updated_at=12:00:00',
    ],
    [paused, `update quipu.delivery_open set return_to = 'delivered' where endpoint_id = 'we_a' and event_id = '1-11'`],
  ],
  [
    'a paused one with nothing queued begins a new generation',
    `quipu.reactivate_endpoint('ten_1', 'we_a', 1, ${now}, ${now})`,
    [
      'returns: redelivered=0 requeued=0',
      'delivery_cursor we_a: is_due=true',
      'webhook_endpoint we_a: generation=4 paused_at=null status=active updated_at=12:00:00',
    ],
    [
      paused,
      `delete from quipu.delivery_open where endpoint_id = 'we_a'`,
      `delete from quipu.delivery_run where endpoint_id = 'we_a'`,
      `update quipu.delivery_cursor set seq = 18, logged_at = ${now} where endpoint_id = 'we_a'`,
    ],
  ],
  ['another tenant changes nothing', `quipu.reactivate_endpoint('ten_2', 'we_a', 1800, ${now}, ${now})`, []],
  [
    "an operator's pause",
    `quipu.pause_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why')`,
    [
      'returns: committed',
      'audit_log we_a webhook.pause: action=webhook.pause actor=ana address=192.0.2.7 after={"reason":"why","status":"paused"} at=12:00:00 before={"status":"active"} subject=we_a token_id=opt_024D4B96F58DA6D4A8512313BB',
      'webhook_endpoint we_a: operator_pause_reason=why operator_paused_at=12:00:00 operator_paused_by=ana paused_at=12:00:00 status=paused updated_at=12:00:00',
    ],
  ],
  [
    "an operator's pause of one that failures have paused keeps the instant",
    `quipu.pause_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why')`,
    [
      'returns: committed',
      'audit_log we_a webhook.pause: action=webhook.pause actor=ana address=192.0.2.7 after={"reason":"why","status":"paused"} at=12:00:00 before={"status":"paused"} subject=we_a token_id=opt_024D4B96F58DA6D4A8512313BB',
      'webhook_endpoint we_a: operator_pause_reason=why operator_paused_at=12:00:00 operator_paused_by=ana updated_at=12:00:00',
    ],
    [`update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} - interval '1 hour'`],
  ],
  [
    "an operator's pause keeps that of another operator",
    `quipu.pause_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why')`,
    ['returns: stale'],
    [pausedByOperator],
  ],
  [
    'an operator who pauses names the tenant',
    `quipu.pause_endpoint('ten_2', 'we_a', '${ana}', ${now}, 'why')`,
    ['returns: not_found'],
  ],
  [
    'an operator ends the pause of another operator',
    `quipu.resume_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why', 1, ${now})`,
    [
      'returns: redelivered=0 requeued=11 result=committed',
      'audit_log we_a webhook.resume: action=webhook.resume actor=ana address=192.0.2.7 after={"reason":"why","status":"active"} at=12:00:00 before={"status":"paused"} subject=we_a token_id=opt_024D4B96F58DA6D4A8512313BB',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 operator_pause_reason=null operator_paused_at=null operator_paused_by=null paused_at=null status=active updated_at=12:00:00',
    ],
    [pausedByOperator],
  ],
  [
    'an operator ends a pause during which nothing was queued',
    `quipu.resume_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why', 1, ${now})`,
    [
      'returns: redelivered=0 requeued=0 result=committed',
      'audit_log we_a webhook.resume: action=webhook.resume actor=ana address=192.0.2.7 after={"reason":"why","status":"active"} at=12:00:00 before={"status":"paused"} subject=we_a token_id=opt_024D4B96F58DA6D4A8512313BB',
      'delivery_cursor we_a: is_due=true',
      'webhook_endpoint we_a: generation=4 paused_at=null status=active updated_at=12:00:00',
    ],
    [
      paused,
      `delete from quipu.delivery_open where endpoint_id = 'we_a'`,
      `delete from quipu.delivery_run where endpoint_id = 'we_a'`,
      `update quipu.delivery_cursor set seq = 18, logged_at = ${now} where endpoint_id = 'we_a'`,
    ],
  ],
  [
    'an operator resumes an active one that has nothing to send sooner',
    `quipu.resume_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why', 1, ${now})`,
    [
      'returns: redelivered=0 requeued=0 result=committed',
      'delivery_cursor we_a: is_due=true',
      'webhook_endpoint we_a: updated_at=12:00:00',
    ],
    [
      `delete from quipu.delivery_open where endpoint_id = 'we_a'`,
      `delete from quipu.delivery_run where endpoint_id = 'we_a'`,
      `update quipu.delivery_cursor set seq = 18, logged_at = ${now} where endpoint_id = 'we_a'`,
    ],
  ],
  [
    'an operator resumes an active one',
    `quipu.resume_endpoint('ten_1', 'we_a', '${ana}', ${now}, 'why', 1800, ${now})`,
    [
      'returns: redelivered=2 requeued=1 result=committed',
      'audit_log we_a webhook.resume: action=webhook.resume actor=ana address=192.0.2.7 after={"reason":"why","status":"active"} at=12:00:00 before={"status":"active"} subject=we_a token_id=opt_024D4B96F58DA6D4A8512313BB',
      'delivery we_a 1-1: deleted',
      'delivery_cursor we_a: is_due=true',
      'delivery_open we_a 1-1: attempts=[{}] event_type=payout.completed fencing_token=5 generation=4 next_at=12:00:00 recorded_at=11:00:00.001 recorded_token=5',
      'delivery_open we_a 1-11: ended_at=null return_to=null',
      'delivery_open we_a 1-7: next_at=12:00:00',
      'webhook_endpoint we_a: catch_up_at=12:00:00 generation=4 updated_at=12:00:00',
    ],
  ],
  [
    'an operator who resumes names the tenant',
    `quipu.resume_endpoint('ten_2', 'we_a', '${ana}', ${now}, 'why', 1800, ${now})`,
    ['returns: result=not_found'],
  ],
  ['what is queued', `quipu.count_queued('we_a')`, ['returns: 12']],
  ['what is queued at another tenant', `quipu.count_queued('we_c')`, ['returns: 15']],
]

testEffects(effects)
