import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// Results of attempts that are recorded beside others, or of resends and older generations.

type Attempt = readonly [id: string, event: string, token: number, result: string, retryMs: string]
const record = (isSlow: boolean, ...attempts: readonly Attempt[]): string => {
  const list = (each: (attempt: Attempt) => string) => attempts.map(each).join(',')
  const same = (value: string) => `'{${list(() => value)}}'`
  return `quipu.record_attempts('{${list(([id]) => id)}}', array[${list(([, event]) => `'${event}'`)}]::uuid[],
    '{${list(([, , token]) => String(token))}}', ${same('new')}, '{${list(([, , , result]) => result)}}',
    '{${list(([, , , , retryMs]) => retryMs)}}', ${same(String(isSlow))}, ${same('5')}, ${same('900')}, ${now})`
}
const failing = `update quipu.webhook_endpoint set failing_since = ${now} where id = 'we_a'`
const resentFrom = (state: string): string =>
  `update quipu.delivery_open set is_leased = true, out_until = next_at, return_to = '${state}',
     ended_at = case '${state}' when 'queued' then null else ended_at end
   where endpoint_id = 'we_a' and event_id = '1-11'`

const effects: readonly Effect[] = [
  [
    'a failed attempt beside a delivered one of another endpoint, while neither changes its endpoint',
    record(false, ['we_a', '1-8', 2, 'retry', '1000'], ['we_b', '1-8', 2, 'delivered', 'null']),
    [
      'returns: counts=[0 0] failing=[false false] pauses=[false false]',
      'delivery we_b 1-8: attempts=[new] ended_at=12:00:00 event_type=payout.completed fencing_token=2 recorded_at=11:00:00.004 status=delivered',
      'delivery_open we_a 1-8: attempt_count=1 attempts=[new] is_leased=false lost_leases=0 out_until=null recorded_token=2',
      'delivery_open we_b 1-8: deleted',
    ],
    [failing],
  ],
  [
    'a delivered one of an older generation',
    record(true, ['we_a', '1-10', 2, 'delivered', 'null']),
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-10: attempts=[{} new] ended_at=12:00:00 event_type=deposit.credited fencing_token=2 recorded_at=11:00:00.005 status=delivered',
      'delivery_open we_a 1-10: deleted',
      'webhook_endpoint we_a: is_slow=true',
    ],
  ],
  [
    'an exhausted one of an older generation is due at once',
    record(false, ['we_a', '1-10', 2, 'exhausted', 'null']),
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery_open we_a 1-10: attempt_count=2 attempts=[{} new] is_leased=false out_until=null recorded_token=2',
    ],
    [failing],
  ],
  [
    'a delivered resend of a queued delivery',
    record(true, ['we_a', '1-11', 4, 'delivered', 'null']),
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-11: attempts=[{} new] ended_at=12:00:00 event_type=payout.completed fencing_token=4 recorded_at=11:00:00.006 status=delivered',
      'delivery_open we_a 1-11: deleted',
      'webhook_endpoint we_a: is_slow=true',
    ],
    [resentFrom('queued')],
  ],
  [
    'a failed resend of a delivered delivery is not repeated',
    record(false, ['we_a', '1-11', 4, 'retry', '1000']),
    [
      'returns: counts=[0] failing=[false] pauses=[false]',
      'delivery we_a 1-11: attempts=[{} new] ended_at=11:30:00 event_type=payout.completed fencing_token=4 recorded_at=11:00:00.006 status=delivered',
      'delivery_open we_a 1-11: deleted',
    ],
    [failing, resentFrom('delivered')],
  ],
]

testEffects(effects)
