import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// What a claim does with an endpoint that it has read as inactive.

const clear = `quipu.clear_inactive_endpoint('we_a')`
const allDue = 'update quipu.delivery_cursor set is_due = true'
const paused = (id: string): string =>
  `update quipu.webhook_endpoint set status = 'paused', paused_at = ${now} where id = '${id}'`

const effects: readonly Effect[] = [
  [
    'one that is paused has its cursor unmarked',
    clear,
    ['returns: ', 'delivery_cursor we_a: is_due=false'],
    [allDue, paused('we_a'), paused('we_b')],
  ],
  ['one that has been reactivated meanwhile stays due', clear, ['returns: '], [allDue, paused('we_b')]],
  [
    'one that is paused is served when nothing but a resend is due, also at its first instant',
    `quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', false, ${now})`,
    [
      'returns we_a: attempt=1 bodies=1-11 body_sizes=[4] event_ids=[1-11] fencing_token=5 is_resend=true secrets=["secret of we_a"] url=we_a.example',
      'delivery_open we_a 1-11: fencing_token=5 is_leased=true next_at=12:01:00 out_until=12:01:00',
    ],
    [
      paused('we_a'),
      `delete from quipu.delivery_open where endpoint_id <> 'we_a' or event_id <> '1-11'`,
      `update quipu.delivery_open set next_at = ${now}`,
    ],
  ],
]

testEffects(effects)
