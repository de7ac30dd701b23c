import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// Recorded parts of runs and batches of attempts change these deliveries and endpoints, and no others.

const effects: readonly Effect[] = [
  [
    'the rest of a run ends it',
    `quipu.record_runs('{we_a}', '{12}', '{1}', array['1-12', '1-13']::uuid[], array[${now}, ${now}], '{200,201}', '{1,2}', '{x,null}', ${now})`,
    [
      'returns: [true]',
      'delivered_run we_a 12.0: attempted_at=[12:00:00 12:00:00] ended_at=12:00:00 event_ids=[1-12 1-13] excerpts=[x null] first_at=11:00:00.006 first_seq=12 latencies_ms=[1 2] status_codes=[200 201]',
      'delivery_run we_a 12: deleted',
    ],
  ],
  [
    'a part leaves the others in the run',
    `quipu.record_runs('{we_a}', '{12}', '{1}', array['1-13']::uuid[], array[${now}], '{200}', '{1}', '{x}', ${now})`,
    [
      'returns: [true]',
      'delivered_run we_a 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-13] excerpts=[x] first_at=11:00:00.006 first_seq=12 latencies_ms=[1] part=1 status_codes=[200]',
      'delivery_run we_a 12: event_ids=[1-12]',
    ],
  ],
  [
    'parts of several runs',
    `quipu.record_runs('{we_b,we_a}', '{12,12}', '{1,3}', array['1-12', '1-13', '1-12']::uuid[], array[${now}, ${now}, ${now}], '{200,201,202}', '{1,2,3}', '{x,null,null}', ${now})`,
    [
      'returns: [true true]',
      'delivered_run we_a 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] first_at=11:00:00.006 first_seq=12 latencies_ms=[3] part=1 status_codes=[202]',
      'delivered_run we_b 12.0: attempted_at=[12:00:00 12:00:00] ended_at=12:00:00 event_ids=[1-12 1-13] excerpts=[x null] first_at=11:00:00.006 first_seq=12 latencies_ms=[1 2] status_codes=[200 201]',
      'delivery_run we_a 12: event_ids=[1-13]',
      'delivery_run we_b 12: deleted',
    ],
  ],
  [
    'parts of two runs of one endpoint',
    `quipu.record_runs('{we_b,we_b}', '{12,14}', '{1,2}', array['1-12', '1-15']::uuid[], array[${now}, ${now}], '{200,201}', '{1,2}', '{x,null}', ${now})`,
    [
      'returns: [true true]',
      'delivered_run we_b 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] excerpts=[x] first_at=11:00:00.006 first_seq=12 latencies_ms=[1] part=1 status_codes=[200]',
      'delivered_run we_b 14.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-15] first_at=11:00:00.007 first_seq=14 latencies_ms=[2] part=1 status_codes=[201]',
      'delivery_run we_b 12: event_ids=[1-13]',
      'delivery_run we_b 14: event_ids=[1-14]',
    ],
  ],
  [
    'a part with an event that is no longer in the run is not recorded',
    `quipu.record_runs('{we_a,we_b}', '{12,12}', '{1,3}', array['1-12', '1-14', '1-12']::uuid[], array[${now}, ${now}, ${now}], '{200,201,202}', '{1,2,3}', '{x,null,null}', ${now})`,
    [
      'returns: [false true]',
      'delivered_run we_b 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] first_at=11:00:00.006 first_seq=12 latencies_ms=[3] part=1 status_codes=[202]',
      'delivery_run we_b 12: event_ids=[1-13]',
    ],
  ],
  [
    'of two parts of one run in a batch the first one is recorded',
    `quipu.record_runs('{we_a,we_a}', '{12,12}', '{1,2}', array['1-12', '1-13']::uuid[], array[${now}, ${now}], '{200,201}', '{1,2}', '{x,null}', ${now})`,
    [
      'returns: [true false]',
      'delivered_run we_a 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] excerpts=[x] first_at=11:00:00.006 first_seq=12 latencies_ms=[1] part=1 status_codes=[200]',
      'delivery_run we_a 12: event_ids=[1-13]',
    ],
  ],
  [
    'a part is not recorded when the endpoint has failures',
    `quipu.record_runs('{we_a,we_b}', '{12,12}', '{1,2}', array['1-12', '1-12']::uuid[], array[${now}, ${now}], '{200,201}', '{1,2}', '{x,null}', ${now})`,
    [
      'returns: [false true]',
      'delivered_run we_b 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] first_at=11:00:00.006 first_seq=12 latencies_ms=[2] part=1 status_codes=[201]',
      'delivery_run we_b 12: event_ids=[1-13]',
    ],
    [`update quipu.webhook_endpoint set consecutive_failures = 1 where id = 'we_a'`],
  ],
  [
    'a part is not recorded when the endpoint is slow',
    `quipu.record_runs('{we_a,we_b}', '{12,12}', '{1,2}', array['1-12', '1-12']::uuid[], array[${now}, ${now}], '{200,201}', '{1,2}', '{x,null}', ${now})`,
    [
      'returns: [false true]',
      'delivered_run we_b 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] first_at=11:00:00.006 first_seq=12 latencies_ms=[2] part=1 status_codes=[201]',
      'delivery_run we_b 12: event_ids=[1-13]',
    ],
    [`update quipu.webhook_endpoint set is_slow = true where id = 'we_a'`],
  ],
  [
    'a part is not recorded when the endpoint is failing',
    `quipu.record_runs('{we_a,we_b}', '{12,12}', '{1,2}', array['1-12', '1-12']::uuid[], array[${now}, ${now}], '{200,201}', '{1,2}', '{x,null}', ${now})`,
    [
      'returns: [false true]',
      'delivered_run we_b 12.1: attempted_at=[12:00:00] ended_at=12:00:00 event_ids=[1-12] first_at=11:00:00.006 first_seq=12 latencies_ms=[2] part=1 status_codes=[201]',
      'delivery_run we_b 12: event_ids=[1-13]',
    ],
    [`update quipu.webhook_endpoint set failing_since = ${now} where id = 'we_a'`],
  ],
  [
    'a part of an endpoint that is removed is not recorded',
    `quipu.record_runs('{we_a}', '{12}', '{1}', array['1-12']::uuid[], array[${now}], '{200}', '{1}', '{x}', ${now})`,
    ['returns: [false]'],
    [`delete from quipu.webhook_endpoint where id = 'we_a'`],
  ],
  [
    'endpoints of one batch count apart',
    `quipu.record_attempts('{we_a,we_b,we_b}', array['1-8', '1-8', '1-12']::uuid[], '{2,2,1}', '{new0,new1,new2}', '{exhausted,delivered,retry}', '{1500,1500,1500}', '{f,f,f}', '{5,5,5}', '{900,900,900}', ${now})`,
    [
      'returns: counts=[1 0 0] failing=[false false false] pauses=[false false false]',
      'delivery we_a 1-8: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=exhausted',
      'delivery we_b 1-8: attempts=[new1] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_a 1-8: deleted',
      'delivery_open we_b 1-12: attempt_count=1 attempts=[new2] event_type=payout.completed fencing_token=1 generation=3 next_at=12:00:01.5 recorded_at=11:00:00.006 recorded_token=1',
      'delivery_open we_b 1-8: deleted',
      'delivery_run we_b 12: event_ids=[1-13]',
      'webhook_endpoint we_a: consecutive_failures=1 failing_since=12:00:00',
      'webhook_endpoint we_b: failing_since=12:00:00',
    ],
  ],
  [
    'endpoints of one batch have other events of a run',
    `quipu.record_attempts('{we_a,we_b}', array['1-13', '1-12']::uuid[], '{1,1}', '{new0,new1}', '{delivered,delivered}', '{1500,1500}', '{f,f}', '{5,5}', '{900,900}', ${now})`,
    [
      'returns: counts=[0 0] failing=[false false] pauses=[false false]',
      'delivery we_a 1-13: attempts=[new0] ended_at=12:00:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.007 status=delivered',
      'delivery we_b 1-12: attempts=[new1] ended_at=12:00:00 event_type=payout.completed fencing_token=1 recorded_at=11:00:00.006 status=delivered',
      'delivery_run we_a 12: event_ids=[1-12]',
      'delivery_run we_b 12: event_ids=[1-13]',
    ],
  ],
  [
    'attempts at a removed endpoint are stale',
    `quipu.record_attempts('{we_a,we_b}', array['1-8', '1-8']::uuid[], '{2,2}', '{new0,new1}', '{delivered,delivered}', '{1500,1500}', '{f,f}', '{5,5}', '{900,900}', ${now})`,
    [
      'returns: counts=[null 0] failing=[false false] pauses=[false false]',
      'delivery we_b 1-8: attempts=[new1] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_b 1-8: deleted',
    ],
    [`delete from quipu.webhook_endpoint where id = 'we_a'`],
  ],
]

testEffects(effects)
