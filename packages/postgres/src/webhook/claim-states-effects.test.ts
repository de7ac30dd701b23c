import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// What a claim changes at endpoints in special states.

const paused = `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = 'we_a'`
const signals = `insert into quipu.delivery_signal (tenant_ids) values ('{ten_1,ten_2}')`
const onlyA = `delete from quipu.delivery_open where endpoint_id <> 'we_a'`
const isDue = `update quipu.delivery_cursor set is_due = true where endpoint_id = 'we_a'`

const effects: readonly Effect[] = [
  [
    'a paused endpoint: resends only, and its cursor is unmarked',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: is_due=false',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
    ],
    [onlyA, isDue, paused],
  ],
  [
    'a removed endpoint: its open deliveries are deleted',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'delivery_open we_a 1-10: deleted',
      'delivery_open we_a 1-11: deleted',
      'delivery_open we_a 1-17: deleted',
      'delivery_open we_a 1-7: deleted',
      'delivery_open we_a 1-8: deleted',
      'delivery_open we_a 1-9: deleted',
    ],
    [onlyA, `delete from quipu.webhook_endpoint where id = 'we_a'`],
  ],
  [
    'after a pause, as many as its share allows',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 2, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 run_seq=16 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: seq=16',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_run we_a 16: event_ids=[1-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'endpoint_filter we_a 16: deleted',
      'webhook_endpoint we_a: catch_up_at=11:59:59.6',
    ],
    [onlyA, isDue, `update quipu.webhook_endpoint set catch_up_at = ${now} - interval '1400 ms' where id = 'we_a'`],
  ],
  [
    'after a pause, at most a second of an unused share is kept',
    `quipu.claim_deliveries(1, 60, 99, 99, false, 1, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 run_seq=16 secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: seq=16',
      'delivery_run we_a 16: event_ids=[1-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'endpoint_filter we_a 16: deleted',
      'webhook_endpoint we_a: catch_up_at=11:59:59',
    ],
    [onlyA, isDue, `update quipu.webhook_endpoint set catch_up_at = ${now} - interval '9000 ms' where id = 'we_a'`],
  ],
  [
    'after a pause, none while its share is used',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 2, true, '', false, ${now})`,
    [],
    [onlyA, isDue, `update quipu.webhook_endpoint set catch_up_at = ${now} - interval '499 ms' where id = 'we_a'`],
  ],
  [
    'after a pause, it has caught up when nothing more is due',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 1000, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 run_seq=16 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=2 bodies=1-17 body_sizes=[4] event_ids=[1-17] fencing_token=2 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-10 body_sizes=[4] event_ids=[1-10] fencing_token=3 lost_leases=1 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-18 body_sizes=[4] event_ids=[1-18] fencing_token=1 run_seq=18 secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: is_due=false logged_at=11:00:00.009 seq=18',
      'delivery_open we_a 1-10: attempt_count=0 fencing_token=3 generation=3 lost_leases=1 next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-17: fencing_token=2 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_run we_a 16: event_ids=[1-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'delivery_run we_a 18: event_ids=[1-18] first_at=11:00:00.009 first_seq=18 generation=3 leased_until=12:01:00',
      'endpoint_filter we_a 16: deleted',
      'webhook_endpoint we_a: catch_up_at=null',
    ],
    [onlyA, isDue, `update quipu.webhook_endpoint set catch_up_at = ${now} - interval '1000 ms' where id = 'we_a'`],
  ],
  [
    'an earlier filter that matches nothing is passed',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=2 bodies=1-17 body_sizes=[4] event_ids=[1-17] fencing_token=2 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-10 body_sizes=[4] event_ids=[1-10] fencing_token=3 lost_leases=1 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-18 body_sizes=[4] event_ids=[1-18] fencing_token=1 run_seq=18 secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: is_due=false logged_at=11:00:00.009 seq=18',
      'delivery_open we_a 1-10: attempt_count=0 fencing_token=3 generation=3 lost_leases=1 next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-17: fencing_token=2 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_run we_a 18: event_ids=[1-18] first_at=11:00:00.009 first_seq=18 generation=3 leased_until=12:01:00',
      'endpoint_filter we_a 16: deleted',
    ],
    [onlyA, isDue, `update quipu.endpoint_filter set events = '{payout.failed}' where endpoint_id = 'we_a'`],
  ],
  [
    'a filter that matches nothing moves the cursor to the end of the log',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=2 bodies=1-17 body_sizes=[4] event_ids=[1-17] fencing_token=2 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-10 body_sizes=[4] event_ids=[1-10] fencing_token=3 lost_leases=1 secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: is_due=false logged_at=11:00:00.009 seq=18',
      'delivery_open we_a 1-10: attempt_count=0 fencing_token=3 generation=3 lost_leases=1 next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-17: fencing_token=2 is_leased=true next_at=12:01:00 out_until=12:01:00',
    ],
    [
      onlyA,
      isDue,
      `delete from quipu.endpoint_filter where endpoint_id = 'we_a'`,
      `update quipu.webhook_endpoint set events = '{payout.failed}' where id = 'we_a'`,
    ],
  ],
  [
    'an endpoint that wants all types keeps its cursor at the last event',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 run_seq=16 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=2 bodies=1-17 body_sizes=[4] event_ids=[1-17] fencing_token=2 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-10 body_sizes=[4] event_ids=[1-10] fencing_token=3 lost_leases=1 secrets=["secret of we_a"] url=we_a.example',
      'returns we_a: attempt=1 bodies=1-18 body_sizes=[4] event_ids=[1-18] fencing_token=1 run_seq=18 secrets=["secret of we_a"] url=we_a.example',
      'delivery_cursor we_a: is_due=false logged_at=11:00:00.009 seq=18',
      'delivery_open we_a 1-10: attempt_count=0 fencing_token=3 generation=3 lost_leases=1 next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_a 1-17: fencing_token=2 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_run we_a 16: event_ids=[1-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'delivery_run we_a 18: event_ids=[1-18] first_at=11:00:00.009 first_seq=18 generation=3 leased_until=12:01:00',
      'endpoint_filter we_a 16: deleted',
    ],
    [onlyA, isDue, `update quipu.webhook_endpoint set events = null where id = 'we_a'`],
  ],
  [
    'endpoints of the other class have turns of their own',
    `quipu.claim_deliveries(99, 60, 99, 99, true, 50, true, '', false, ${now})`,
    [
      'returns we_b: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 run_seq=16 secrets=["secret of we_b"] url=we_b.example',
      'returns we_b: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_b"] url=we_b.example',
      'returns we_b: attempt=2 bodies=1-17 body_sizes=[4] event_ids=[1-17] fencing_token=2 secrets=["secret of we_b"] url=we_b.example',
      'returns we_b: attempt=1 bodies=1-10 body_sizes=[4] event_ids=[1-10] fencing_token=3 lost_leases=1 secrets=["secret of we_b"] url=we_b.example',
      'returns we_b: attempt=1 bodies=1-18 body_sizes=[4] event_ids=[1-18] fencing_token=1 run_seq=18 secrets=["secret of we_b"] url=we_b.example',
      'delivery_cursor we_a: is_due=true',
      'delivery_cursor we_b: logged_at=11:00:00.009 seq=18',
      'delivery_cursor we_c: is_due=true',
      'delivery_open we_b 1-10: attempt_count=0 fencing_token=3 generation=3 lost_leases=1 next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_b 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_open we_b 1-17: fencing_token=2 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'delivery_run we_b 16: event_ids=[1-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'delivery_run we_b 18: event_ids=[1-18] first_at=11:00:00.009 first_seq=18 generation=3 leased_until=12:01:00',
      'delivery_signal : deleted',
      'endpoint_filter we_b 16: deleted',
    ],
    [signals, `update quipu.webhook_endpoint set is_slow = true where id = 'we_b'`],
  ],
  [
    'signals mark the cursors of active endpoints only',
    'quipu.read_delivery_signals()',
    [
      'returns: ',
      'delivery_cursor we_b: is_due=true',
      'delivery_cursor we_c: is_due=true',
      'delivery_signal : deleted',
    ],
    [signals, paused],
  ],
  [
    'a signal of one tenant',
    'quipu.read_delivery_signals()',
    ['returns: ', 'delivery_cursor we_c: is_due=true', 'delivery_signal : deleted'],
    [`insert into quipu.delivery_signal (tenant_ids) values ('{ten_2,ten_x}'), ('{ten_2}')`],
  ],
  [
    'runs whose lease has ended become rows',
    `quipu.open_lost_runs(${now})`,
    [
      'returns: ',
      'delivery_open we_a 1-14: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:00 out_until=12:00:00 recorded_at=11:00:00.007',
      'delivery_open we_a 1-15: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:00 out_until=12:00:00 recorded_at=11:00:00.008',
      'delivery_open we_b 1-14: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:00 out_until=12:00:00 recorded_at=11:00:00.007',
      'delivery_open we_b 1-15: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:00 out_until=12:00:00 recorded_at=11:00:00.008',
      'delivery_open we_c 2-14: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:00 out_until=12:00:00 recorded_at=11:00:00.007',
      'delivery_open we_c 2-15: event_type=payout.completed fencing_token=1 generation=3 is_leased=true next_at=12:00:00 out_until=12:00:00 recorded_at=11:00:00.008',
      'delivery_run we_a 14: deleted',
      'delivery_run we_b 14: deleted',
      'delivery_run we_c 14: deleted',
    ],
  ],
  [
    'deliveries that were not handed on are due again, and no others',
    `quipu.requeue_deliveries('{we_a,we_a,we_a,we_a}', array['1-11', '1-8', '1-9', '1-10']::uuid[], ${now})`,
    ['returns: ', 'delivery_open we_a 1-9: next_at=12:00:00 out_until=null'],
    [`update quipu.delivery_open set out_until = next_at where event_id = '1-7'`],
  ],
  [
    'deliveries that were not handed on are due again at each endpoint',
    `quipu.requeue_deliveries('{we_c,we_a}', array['2-9', '1-9']::uuid[], ${now})`,
    [
      'returns: ',
      'delivery_open we_a 1-9: next_at=12:00:00 out_until=null',
      'delivery_open we_c 2-9: next_at=12:00:00 out_until=null',
    ],
  ],
]

testEffects(effects)
