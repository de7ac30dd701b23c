import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// What counts at the limit of an endpoint: its rows that are out, and its leased runs, if it has any.

/** Claims up to this many of each endpoint. */
const claim = (perEndpoint: number): string =>
  `quipu.claim_deliveries(99, 60, ${perEndpoint}, 99, false, 50, true, '', false, ${now})`
const onlyB = `delete from quipu.delivery_open where endpoint_id <> 'we_b'`
const noRuns = 'delete from quipu.delivery_run'

const effects: readonly Effect[] = [
  [
    'rows and runs, beside endpoints whose leased runs begin later',
    claim(4),
    [],
    [
      onlyB,
      `${noRuns} where endpoint_id <> 'we_b'`,
      `update quipu.delivery_cursor set open_seq = case endpoint_id when 'we_b' then 12 else 17 end`,
    ],
  ],
  ['rows, without a leased run', claim(2), [], [onlyB, noRuns]],
  ['more rows than a limit that was lowered', claim(1), [], [onlyB, noRuns]],
  ['a leased run that is longer than a limit that was lowered', claim(1), [], [onlyB]],
  [
    'rows below the limit, without a leased run',
    claim(3),
    [
      'returns we_b: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_b"] url=we_b.example',
      'delivery_open we_b 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
    ],
    [onlyB, noRuns],
  ],
  [
    'a resend at an endpoint that was paused while it caught up is not limited by its rate',
    claim(3),
    [
      'returns we_b: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_b"] url=we_b.example',
      'delivery_open we_b 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
      'webhook_endpoint we_b: catch_up_at=12:00:00.02',
    ],
    [
      onlyB,
      noRuns,
      `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now}, catch_up_at = ${now} where id = 'we_b'`,
    ],
  ],
  [
    'runs of another endpoint do not decide from where those of this one are counted',
    claim(99),
    [
      'returns we_b: attempt=1 bodies=1-16 body_sizes=[4] event_ids=[1-16] fencing_token=1 run_seq=16 secrets=["secret of we_b"] url=we_b.example',
      'returns we_b: attempt=1 bodies=1-171-18 body_sizes=[4 4] event_ids=[1-17 1-18] fencing_token=1 run_seq=17 secrets=["secret of we_b"] url=we_b.example',
      'delivery_cursor we_b: is_due=false logged_at=11:00:00.009 open_seq=16 seq=18',
      'delivery_run we_b 16: event_ids=[1-16] first_at=11:00:00.008 first_seq=16 generation=3 leased_until=12:01:00',
      'delivery_run we_b 17: event_ids=[1-17 1-18] first_at=11:00:00.009 first_seq=17 generation=3 leased_until=12:01:00',
      'endpoint_filter we_b 16: deleted',
    ],
    [
      'delete from quipu.delivery_open',
      `${noRuns} where endpoint_id <> 'we_a' or leased_until = ${now}`,
      'update quipu.delivery_run set first_seq = 18',
      `update quipu.delivery_cursor set is_due = true where endpoint_id = 'we_b'`,
    ],
  ],
]

testEffects(effects)
