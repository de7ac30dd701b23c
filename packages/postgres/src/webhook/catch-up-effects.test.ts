import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// When an endpoint has caught up: a claim took the last due row of `we_a`, without its cursor, so that it read no log.

const catchesUp = `update quipu.webhook_endpoint set catch_up_at = ${now} where id = 'we_a'`
const isDue = 'update quipu.delivery_cursor set is_due = true where endpoint_id ='
const recorded = `quipu.record_catch_up('we_a', 25, true, false, 50, ${now})`

const effects: readonly Effect[] = [
  [
    'an endpoint whose cursor is not due has caught up',
    recorded,
    ['returns: null', 'webhook_endpoint we_a: catch_up_at=null'],
    [catchesUp, `${isDue} 'we_b'`],
  ],
  [
    'an endpoint whose due cursor another claim had locked has not caught up',
    recorded,
    ['returns: null', 'webhook_endpoint we_a: catch_up_at=12:00:00.5'],
    [catchesUp, `${isDue} 'we_a'`],
  ],
]

testEffects(effects)
