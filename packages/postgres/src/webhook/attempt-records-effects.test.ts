import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// A recorded attempt changes its delivery and its endpoint, and no others.

const effects: readonly Effect[] = [
  [
    'a delivered attempt ends the delivery',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{delivered}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_a 1-8: deleted',
    ],
  ],
  [
    'a delivered attempt of a leased run leaves the run',
    `quipu.record_attempts('{we_a}', array['1-13']::uuid[], '{1}', '{new0}', '{delivered}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-13: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.007 status=delivered',
      'delivery_run we_a 12: event_ids=[1-12]',
    ],
  ],
  [
    'attempts of an older claim, without a lease, or of an ended delivery are stale',
    `quipu.record_attempts('{we_a,we_a,we_a,we_a}', array['1-8', '1-7', '1-1', '1-9']::uuid[], '{1,1,5,0}', '{new0,new1,new2,new3}', '{delivered,delivered,delivered,delivered}', '{1500,1500,1500,1500}', '{f,f,f,f}', '{5,5,5,5}', '{900,900,900,900}', ${now})`,
    ['returns: counts=[null null null null] failing=[false false false false] pauses=[false false false false]'],
  ],
  [
    'the same is stale beside an attempt that failed',
    `quipu.record_attempts('{we_a,we_a,we_a,we_a,we_a,we_a}', array['1-8', '1-7', '1-1', '1-9', '1-8', '1-8']::uuid[], '{1,1,5,0,2,2}', '{new0,new1,new2,new3,new4,new5}', '{retry,retry,retry,exhausted,retry,exhausted}', '{1500,1500,1500,1500,1500,1500}', '{f,f,f,f,f,f}', '{5,5,5,5,5,5}', '{900,900,900,900,900,900}', ${now})`,
    [
      'returns: counts=[null null null null 0 null] failing=[false false false false false false] pauses=[false false false false false false]',
      'delivery_open we_a 1-8: attempt_count=1 attempts=[new4] is_leased=false lost_leases=0 next_at=12:00:01.5 out_until=null recorded_token=2',
      'webhook_endpoint we_a: failing_since=12:00:00',
    ],
  ],
  [
    'a failed attempt is repeated later',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{retry}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery_open we_a 1-8: attempt_count=1 attempts=[new0] is_leased=false lost_leases=0 next_at=12:00:01.5 out_until=null recorded_token=2',
      'webhook_endpoint we_a: failing_since=12:00:00',
    ],
  ],
  [
    'a failed attempt of a leased run is repeated later',
    `quipu.record_attempts('{we_a}', array['1-13']::uuid[], '{1}', '{new0}', '{retry}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery_open we_a 1-13: attempt_count=1 attempts=[new0] event_type=payout.completed fencing_token=1 generation=3 next_at=12:00:01.5 recorded_at=11:00:00.007 recorded_token=1',
      'delivery_run we_a 12: event_ids=[1-12]',
      'webhook_endpoint we_a: failing_since=12:00:00',
    ],
  ],
  [
    'an exhausted delivery counts at its endpoint',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{exhausted}', '{1500}', '{t}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[1] failing=[false] pauses=[false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=exhausted',
      'delivery_open we_a 1-8: deleted',
      'webhook_endpoint we_a: consecutive_failures=1 failing_since=12:00:00 is_slow=true',
    ],
  ],
  [
    'as many exhausted ones in a row as the limit pause the endpoint',
    `quipu.record_attempts('{we_a,we_a,we_a}', array['1-8', '1-12', '1-13']::uuid[], '{2,1,1}', '{new0,new1,new2}', '{exhausted,exhausted,exhausted}', '{1500,1500,1500}', '{f,f,f}', '{2,2,2}', '{900,900,900}', ${now})`,
    [
      'returns: counts=[1 2 3] failing=[false false false] pauses=[false true false]',
      'delivery we_a 1-12: attempts=[new1] ended_at=12:00:00 event_type=payout.completed fencing_token=1 has_paused=true recorded_at=11:00:00.006 status=exhausted',
      'delivery we_a 1-13: attempts=[new2] ended_at=12:00:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.007 status=exhausted',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=exhausted',
      'delivery_open we_a 1-8: deleted',
      'delivery_run we_a 12: deleted',
      'webhook_endpoint we_a: consecutive_failures=3 failing_since=12:00:00 paused_at=12:00:00 status=paused updated_at=12:00:00',
    ],
  ],
  [
    'a delivered one between two exhausted ones begins to count anew',
    `quipu.record_attempts('{we_a,we_a,we_a}', array['1-8', '1-12', '1-13']::uuid[], '{2,1,1}', '{new0,new1,new2}', '{exhausted,delivered,exhausted}', '{1500,1500,1500}', '{f,f,f}', '{2,2,2}', '{900,900,900}', ${now})`,
    [
      'returns: counts=[1 0 1] failing=[false false false] pauses=[false false false]',
      'delivery we_a 1-12: attempts=[new1] ended_at=12:00:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.006 status=delivered',
      'delivery we_a 1-13: attempts=[new2] ended_at=12:00:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.007 status=exhausted',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=exhausted',
      'delivery_open we_a 1-8: deleted',
      'delivery_run we_a 12: deleted',
      'webhook_endpoint we_a: consecutive_failures=1 failing_since=12:00:00',
    ],
  ],
  [
    'an exhausted one of an older generation is due again',
    `quipu.record_attempts('{we_a}', array['1-10']::uuid[], '{2}', '{new0}', '{exhausted}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery_open we_a 1-10: attempt_count=2 attempts=[{} new0] is_leased=false next_at=12:00:01.5 out_until=null recorded_token=2',
      'webhook_endpoint we_a: failing_since=12:00:00',
    ],
  ],
  [
    'a resend that fails returns to its state, and does not count',
    `quipu.record_attempts('{we_a}', array['1-11']::uuid[], '{4}', '{new0}', '{exhausted}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-11: attempts=[{} new0] ended_at=11:30:00 event_type=payout.completed fencing_token=4 recorded_at=11:00:00.006 status=exhausted',
      'delivery_open we_a 1-11: deleted',
      'webhook_endpoint we_a: failing_since=12:00:00',
    ],
    [
      `update quipu.delivery_open set is_leased = true, out_until = next_at where endpoint_id = 'we_a' and event_id = '1-11'`,
    ],
  ],
  [
    'a resend that is delivered',
    `quipu.record_attempts('{we_a}', array['1-11']::uuid[], '{4}', '{new0}', '{delivered}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-11: attempts=[{} new0] ended_at=12:00:00 event_type=payout.completed fencing_token=4 recorded_at=11:00:00.006 status=delivered',
      'delivery_open we_a 1-11: deleted',
    ],
    [
      `update quipu.delivery_open set is_leased = true, out_until = next_at where endpoint_id = 'we_a' and event_id = '1-11'`,
    ],
  ],
  [
    'a resend of a queued delivery that fails is queued again',
    `quipu.record_attempts('{we_a}', array['1-11']::uuid[], '{4}', '{new0}', '{exhausted}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery_open we_a 1-11: attempts=[{} new0] is_leased=false next_at=12:00:01.5 out_until=null recorded_token=4 return_to=null',
      'webhook_endpoint we_a: failing_since=12:00:00',
    ],
    [
      `update quipu.delivery_open set is_leased = true, out_until = next_at where endpoint_id = 'we_a' and event_id = '1-11'`,
      `update quipu.delivery_open set return_to = 'queued', ended_at = null where endpoint_id = 'we_a' and event_id = '1-11'`,
    ],
  ],
  [
    'an endpoint that fails for as long as the limit is reported once',
    `quipu.record_attempts('{we_a,we_a}', array['1-8', '1-12']::uuid[], '{2,1}', '{new0,new1}', '{retry,retry}', '{1500,1500}', '{f,f}', '{5,5}', '{900,900}', ${now})`,
    [
      'returns: counts=[2 2] failing=[true false] pauses=[false false]',
      'delivery_open we_a 1-12: attempt_count=1 attempts=[new1] event_type=payout.completed fencing_token=1 generation=3 next_at=12:00:01.5 recorded_at=11:00:00.006 recorded_token=1',
      'delivery_open we_a 1-8: attempt_count=1 attempts=[new0] is_leased=false lost_leases=0 next_at=12:00:01.5 out_until=null recorded_token=2',
      'delivery_run we_a 12: event_ids=[1-13]',
      'webhook_endpoint we_a: is_failing_long=true',
    ],
    [
      `update quipu.webhook_endpoint set failing_since = ${now} - interval '900 s', consecutive_failures = 2 where id = 'we_a'`,
    ],
  ],
  [
    'an endpoint that fails for less is not reported',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{retry}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[2] failing=[false] pauses=[false]',
      'delivery_open we_a 1-8: attempt_count=1 attempts=[new0] is_leased=false lost_leases=0 next_at=12:00:01.5 out_until=null recorded_token=2',
    ],
    [
      `update quipu.webhook_endpoint set failing_since = ${now} - interval '899.999 s', consecutive_failures = 2 where id = 'we_a'`,
    ],
  ],
  [
    'an endpoint that recovers has no failures',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{delivered}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_a 1-8: deleted',
      'webhook_endpoint we_a: consecutive_failures=0 failing_since=null is_failing_long=false',
    ],
    [
      `update quipu.webhook_endpoint set failing_since = ${now} - interval '2000 s', consecutive_failures = 2 where id = 'we_a'`,
      `update quipu.webhook_endpoint set is_failing_long = true where id = 'we_a'`,
    ],
  ],
  [
    'an endpoint with an earlier failure counts anew after a delivered attempt',
    `quipu.record_attempts('{we_b}', array['1-8']::uuid[], '{2}', '{new0}', '{delivered}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_b 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_b 1-8: deleted',
      'webhook_endpoint we_b: consecutive_failures=0',
    ],
    [`update quipu.webhook_endpoint set consecutive_failures = 1 where id = 'we_b'`],
  ],
  [
    'an endpoint that becomes slow is in the other class',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{delivered}', '{1500}', '{t}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_a 1-8: deleted',
      'webhook_endpoint we_a: is_slow=true',
    ],
  ],
  [
    'an endpoint that is no longer slow is in the first class',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{delivered}', '{1500}', '{f}', '{5}', '{900}', ${now})`,
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_a 1-8: deleted',
      'webhook_endpoint we_a: is_slow=false',
    ],
    [`update quipu.webhook_endpoint set is_slow = true where id = 'we_a'`],
  ],
  [
    'a paused endpoint is neither paused again nor reported',
    `quipu.record_attempts('{we_a}', array['1-8']::uuid[], '{2}', '{new0}', '{exhausted}', '{1500}', '{f}', '{1}', '{900}', ${now})`,
    [
      'returns: counts=[3] failing=[false] pauses=[false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=exhausted',
      'delivery_open we_a 1-8: deleted',
      'webhook_endpoint we_a: consecutive_failures=3',
    ],
    [
      `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} - interval '1 hour' where id = 'we_a'`,
      `update quipu.webhook_endpoint set failing_since = ${now} - interval '2000 s', consecutive_failures = 2 where id = 'we_a'`,
    ],
  ],
]

testEffects(effects)
