import { commitSend, depositBuilders, newTopUp, presentedBy } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from './stores.fixture.ts'
import { plansWithin } from './plans.fixture.ts'

const harness = useStoreHarness()
/** Ids of rows that exist, for the calls. */
let ids: Readonly<Record<'tenant' | 'send' | 'account' | 'key' | 'deposit' | 'owner', string>>
beforeAll(async () => {
  const world = { ...harness.stores, ...harness, advance: async () => {} }
  const tenant = (await harness.newTenant()).id
  await newTopUp(world, tenant)
  const sent = await commitSend(world, tenant, { leaseSeconds: 0 })
  if (sent.type !== 'committed') throw new Error(sent.type)
  const { id: send, account } = sent.send
  const deposits = await depositBuilders(harness.world)
  const [due] = await deposits.due()
  ids = {
    tenant,
    send,
    account,
    key: harness.ids.next('key', new Date()),
    deposit: due?.id ?? '',
    owner: deposits.tenantId,
  }
})

type Call = (given: typeof ids) => readonly [call: string, ...values: unknown[]]

test.each<[string, Call, Record<string, number>]>([
  [
    'revoke_api_key',
    ({ tenant, key }) => [`select quipu.revoke_api_key($1, $2, '${presentedBy('ana')}', now())`, tenant, key],
    { api_key_pkey: 1 },
  ],
  [
    'renew_second_factor',
    () => [`select quipu.renew_second_factor('ben', '1.old', '2.new')`],
    { second_factor_pkey: 1 },
  ],
  [
    'touch_api_key',
    ({ tenant, key }) => [`select quipu.touch_api_key($1, $2, now())`, tenant, key],
    { api_key_pkey: 1 },
  ],
  [
    'change_tenant',
    ({ tenant }) => [
      `select quipu.change_tenant($1, 1, '{"status": "active", "legal_name": "x", "contact_name": "x", "contact_email": "x",
         "margin_bps": 1, "fee_bps": 0, "fee_fixed": 0, "payment_cap": 0}', 'tenant.update', '${presentedBy('ada')}', now())`,
      tenant,
    ],
    { tenant_pkey: 1 },
  ],
  [
    // The last two conditions are those of a range, of which the planner expects few rows in a log of any length.
    'check_balance',
    ({ tenant }) => [`select quipu.check_balance($1, '(0,-infinity,0,0,0,0,0,0)', 10)`, tenant],
    { payout_end_log: 4, funding_entry_pkey: 4 },
  ],
  [
    'insert_quotes',
    ({ tenant }) => [
      `select quipu.insert_quotes(array[$1], array[$2::uuid], array['qrr'], array[1], array[1], array[100000000], array[0],
         array[100000000], array[1], array['x'], array[60000], array[null], null)`,
      tenant,
      harness.ids.uuid(new Date()),
    ],
    { tenant_pkey: 1, api_key_pkey: 1, audit_log_subject: 1 },
  ],
  [
    'set_balance_threshold',
    ({ tenant }) => [`select quipu.set_balance_threshold($1, 1, null)`, tenant],
    { wallet_pkey: 1, balance_threshold_pkey: 1 },
  ],
  ['record_crossings', () => ['select quipu.record_crossings(9, null)'], { balance_threshold_pkey: 0, wallet_pkey: 1 }],
  [
    'draw_top_up_index',
    ({ tenant }) => [`select quipu.draw_top_up_index($1, 'tron')`, tenant],
    { wallet_pkey: 1, top_up_address_in_use: 2 },
  ],
  [
    'retire_top_up_address',
    ({ tenant }) => [`select quipu.retire_top_up_address($1, 'tron', '${presentedBy('ana')}', now())`, tenant],
    { top_up_address_in_use: 2 },
  ],
  [
    'accept_faucet_send',
    ({ tenant, account }) => [
      `select quipu.accept_faucet_send(jsonb_build_object('id', gen_random_uuid(), 'tenant_id', $1::text, 'key', 'k',
           'fingerprint', 'f', 'chain', 'tron', 'account', $2::text, 'address', 'a', 'amount', 1, 'tx_hash', 'h',
           'bytes', '', 'expires_at', now(), 'remaining_today', 0),
         '{"per_request": 1, "per_tenant": 100000000, "requests_per_tenant": 9, "per_address": 100000000,
           "shared": 100000000, "spacing_seconds": 0, "window_seconds": 86400}', 1, null)`,
      tenant,
      account,
    ],
    { faucet_send_of_tenant: 2, faucet_send_to_account: 2, faucet_minute_pkey: 1 },
  ],
  [
    'claim_faucet_sends',
    () => ['select quipu.claim_faucet_sends(10, 1, null)'],
    { faucet_send_due: 1, faucet_send_pkey: 1 },
  ],
  [
    'yield_faucet_send',
    ({ tenant, send }) => ['select quipu.yield_faucet_send($1, $2, 1, 1, null)', tenant, send],
    { faucet_send_pkey: 2 },
  ],
  [
    'settle_faucet_send',
    ({ tenant, send }) => [`select quipu.settle_faucet_send($1, $2, 1, 'failed')`, tenant, send],
    { faucet_send_pkey: 2, faucet_minute_pkey: 1 },
  ],
  ['claim_deposits', () => ['select quipu.claim_deposits(10, 1, null)'], { deposit_due: 1, deposit_newest: 2 }],
  [
    'yield_deposit',
    ({ owner, deposit }) => [`select quipu.yield_deposit($1, $2, 0, 1, 'late', null)`, owner, deposit],
    { deposit_newest: 2 },
  ],
  [
    'settle_deposits',
    ({ owner, deposit }) => [
      `select quipu.settle_deposits(array[$1], array[$2], '{0}', array[null], array[null], array[null], array[now()],
         array[100000000], array[100000000], array[uuidv7()], array[null], null)`,
      owner,
      deposit,
    ],
    { wallet_pkey: 1, deposit_newest: 2, deposit_unverified: 1 },
  ],
  [
    'advance_scan',
    ({ deposit }) => [
      `select quipu.advance_scan('tron', 'solid', s.fencing_token, s.block_number, s.block_id,
         jsonb_build_array(jsonb_build_object('number', s.block_number + 1, 'id', 'f', 'at', s.block_at)), '[]',
         jsonb_build_array(jsonb_build_object('deposit_id', 'dep_x', 'tenant_id', d.tenant_id, 'tx_hash', 'x',
           'transfer_index', 0, 'address', d.address, 'from_address', 'T', 'sender', 'x', 'amount', 9,
           'block_number', s.block_number + 1, 'created_at', now(), 'expires_at', now(), 'occurred_at', now(),
           'recorded_at', uuid_extract_timestamp(e.id), 'event_id', e.id)), null)
       from (select uuidv7() as id) e, quipu.scan s, quipu.deposit d where s.view = 'solid' and d.id = $1`,
      deposit,
    ],
    {
      scan_pkey: 1,
      scanned_block_pkey: 2,
      deposit_newest: 2,
      deposit_transfer: 3,
      top_up_address_address_tenant_id_chain_key: 3,
    },
  ],
])('%s uses the indexes that were created for it', async (_, callOf, expected) => {
  const [call, ...values] = callOf(ids)
  expect(await plansWithin(harness.stores.url, call, values)).toMatchObject(expected)
})
