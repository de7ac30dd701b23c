import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// When an endpoint that catches up has caught up: `we_a` was sent its last due delivery with a row, and a claim that had
// not locked its cursor read no log.

const catchesUp = `update quipu.webhook_endpoint set catch_up_at = ${now} where id = 'we_a'`
const isDue = 'update quipu.delivery_cursor set is_due = true where endpoint_id ='
const recorded = `quipu.record_catch_up('we_a', 25, true, false, 50, ${now})`

const effects: readonly Effect[] = [
  [
    'with a cursor that is not due',
    recorded,
    ['returns: null', 'webhook_endpoint we_a: catch_up_at=null'],
    [catchesUp, `${isDue} 'we_b'`],
  ],
  [
    'not with a cursor that another claim had locked',
    recorded,
    ['returns: null', 'webhook_endpoint we_a: catch_up_at=12:00:00.5'],
    [catchesUp, `${isDue} 'we_a'`],
  ],
]

testEffects(effects)
