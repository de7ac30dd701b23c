import { now } from './delivery-states.fixture.ts'
import { type Effect, testEffects } from './row-changes.fixture.ts'

// A request about an endpoint changes this endpoint, and no other.

const effects: readonly Effect[] = [
  [
    'a new filter leaves the earlier one to the entries past the cursor',
    `quipu.change_endpoint('ten_1', 'we_a', 'new', true, '{payout.failed}', true, 'text', ${now})`,
    [
      'returns: true',
      'endpoint_filter we_a 18: events=[payout.completed payout.cancelled] until_at=11:00:00.009 until_seq=18',
      'webhook_endpoint we_a: description=text events=[payout.failed] updated_at=12:00:00 url=new',
    ],
  ],
  [
    'a new filter applies from the end of the log of this tenant',
    `quipu.change_endpoint('ten_2', 'we_c', null, true, null, false, null, ${now})`,
    [
      'returns: true',
      'endpoint_filter we_c 21: events=[payout.completed payout.cancelled] until_at=11:00:00.011 until_seq=21',
      'webhook_endpoint we_c: events=null updated_at=12:00:00',
    ],
  ],
  [
    'a filter that stays the same needs no earlier one',
    `quipu.change_endpoint('ten_1', 'we_a', null, true, '{payout.completed,payout.cancelled}', true, null, ${now})`,
    ['returns: true', 'webhook_endpoint we_a: updated_at=12:00:00'],
  ],
  [
    'a new filter of an endpoint at the end of the log needs no earlier one',
    `quipu.change_endpoint('ten_1', 'we_a', null, true, '{payout.failed}', false, 'x', ${now})`,
    ['returns: true', 'webhook_endpoint we_a: events=[payout.failed] updated_at=12:00:00'],
    [`update quipu.delivery_cursor set seq = 18 where endpoint_id = 'we_a'`],
  ],
  [
    'a second new filter without an entry between keeps the first one',
    `quipu.change_endpoint('ten_1', 'we_a', null, true, '{payout.failed}', false, 'x', ${now})`,
    ['returns: true', 'webhook_endpoint we_a: events=[payout.failed] updated_at=12:00:00'],
    [`insert into quipu.endpoint_filter values ('we_a', 18, ${now}, '{deposit.pending}')`],
  ],
  [
    'another tenant changes nothing',
    `quipu.change_endpoint('ten_2', 'we_a', 'new', true, '{payout.failed}', true, 'text', ${now})`,
    ['returns: false'],
  ],
  [
    'an endpoint without its filter is changed alone',
    `quipu.change_endpoint('ten_1', 'we_b', 'new', false, '{payout.failed}', false, 'text', ${now})`,
    ['returns: true', 'webhook_endpoint we_b: updated_at=12:00:00 url=new'],
  ],
  ['its secrets are read', `quipu.lock_secrets('ten_1', 'we_b')`, ['returns: [secret of we_b]']],
  ['its secrets are not read by another tenant', `quipu.lock_secrets('ten_2', 'we_b')`, ['returns: null']],
  [
    'its secrets are replaced',
    `quipu.replace_secrets('ten_1', 'we_b', '["new"]', ${now})`,
    ['returns: null', 'webhook_endpoint we_b: secrets=[new] updated_at=12:00:00'],
  ],
  [
    'its secrets are not replaced by another tenant',
    `quipu.replace_secrets('ten_2', 'we_b', '["new"]', ${now})`,
    ['returns: null'],
  ],
  [
    'a removal deletes what is pending of it, and keeps what has ended',
    `quipu.remove_endpoint('ten_1', 'we_b')`,
    [
      'returns: true',
      'delivery_cursor we_b: deleted',
      'delivery_open we_b 1-10: deleted',
      'delivery_open we_b 1-11: deleted',
      'delivery_open we_b 1-17: deleted',
      'delivery_open we_b 1-7: deleted',
      'delivery_open we_b 1-8: deleted',
      'delivery_open we_b 1-9: deleted',
      'delivery_run we_b 12: deleted',
      'delivery_run we_b 14: deleted',
      'endpoint_filter we_b 16: deleted',
      'webhook_endpoint we_b: deleted',
    ],
  ],
  ['a removal by another tenant removes nothing', `quipu.remove_endpoint('ten_2', 'we_b')`, ['returns: false']],
  [
    "a new one begins at the end of its tenant's log",
    `quipu.register_endpoint('ten_2', 'we_d', 'u', '{payout.failed}', 'd', 'active', 0, null, '[]', ${now}, ${now}, 2)`,
    [
      'returns: true',
      'delivery_cursor we_d: logged_at=11:00:00.011 seq=21',
      'webhook_endpoint we_d: created_at=12:00:00 description=d events=[payout.failed] generation=1 status=active updated_at=12:00:00 url=u',
    ],
  ],
  [
    'the limit counts the endpoints of the tenant',
    `quipu.register_endpoint('ten_1', 'we_d', 'u', '{payout.failed}', 'd', 'active', 0, null, '[]', ${now}, ${now}, 2)`,
    ['returns: false'],
  ],
  [
    'one that exists is not registered again, also at the limit',
    `quipu.register_endpoint('ten_1', 'we_a', 'u', '{payout.failed}', 'd', 'active', 0, null, '[]', ${now}, ${now}, 1)`,
    ['returns: true'],
  ],
]

testEffects(effects)
