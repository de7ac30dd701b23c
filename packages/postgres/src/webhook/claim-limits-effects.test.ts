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
  [
    'rows below the limit, without a leased run',
    claim(3),
    [
      'returns we_b: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_b"] url=we_b.example',
      'delivery_open we_b 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
    ],
    [onlyB, noRuns],
  ],
]

testEffects(effects)
