import { type AddressSource, type Clock, type Ids, type Stores } from '@quipu/core'
import { memoryStoresOver } from '@quipu/memory'
import { systemIds, systemRandom } from '@quipu/core/system'
import { tronAddresses } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { currentKey, currentKeyIfAny, runAs } from './current-key.ts'
import { mockNetwork } from '../network/mock-network.ts'
import { addressIndexOf } from './key-state.ts'
import type { KeyStates } from './key-states.ts'

/** The ports of the use cases, each over the state of the current key. */
export type KeyPorts = ReturnType<typeof currentKeyPorts>

export function currentKeyPorts(keyStates: Pick<KeyStates, 'markDue' | 'rotate' | 'ofTenant'>, realNow: Clock) {
  const now: Clock = () => currentKeyIfAny()?.now() ?? realNow()
  return {
    stores: countingRecords(
      memoryStoresOver(() => currentKey().database),
      keyStates,
    ),
    network: mockNetwork(() => currentKey().network, now),
    now,
    ids: flatIds,
    random: systemRandom,
    encodeEvent,
    topUps: { addressSource: addressSource(), addressMacKeys: [{ id: '1', key: systemRandom(32) }] as const },
  }
}

/** The stores, counting written records. */
function countingRecords(stores: Stores, keyStates: Pick<KeyStates, 'markDue' | 'rotate' | 'ofTenant'>): Stores {
  const { payouts, quotes, resolutions, scans, deposits, faucet, webhooks, deliveries } = stores
  const { apiKeys, wallets } = stores
  const markDue = (records: number): void => keyStates.markDue(currentKey(), records)
  /** Counts the records that a call adds, and marks the key as due. */
  const counted =
    <Given extends unknown[], Answer>(method: (...given: Given) => Answer, records: number) =>
    (...given: Given): Answer => {
      markDue(records)
      return method(...given)
    }
  return {
    ...stores,
    apiKeys: {
      ...apiKeys,
      rotateOwn: counted(rotating(apiKeys, keyStates), 3),
      revokeOwn: counted(apiKeys.revokeOwn, 1),
    },
    wallets: { ...wallets, setLowBalanceThreshold: counted(wallets.setLowBalanceThreshold, 1) },
    requests: { ...stores.requests, record: ofEachTenant(stores, keyStates) },
    payouts: {
      ...payouts,
      commit: counted(payouts.commit, 2),
      // A yielded payout is late, so the worker loop must resume it.
      yieldClaim: counted(payouts.yieldClaim, 0),
    },
    quotes: { ...quotes, insert: counted(quotes.insert, 1) },
    resolutions: { ...resolutions, insert: counted(resolutions.insert, 1) },
    scans: { ...scans, advance: counted(scans.advance, 2) },
    deposits: { ...deposits, commit: counted(deposits.commit, 1) },
    faucet: { ...faucet, commit: counted(faucet.commit, 1) },
    webhooks: { ...webhooks, insert: counted(webhooks.insert, 1), reactivate: counted(webhooks.reactivate, 0) },
    deliveries: {
      ...deliveries,
      record: counted(deliveries.record, 1),
      resend: counted(deliveries.resend, 0),
      replay: counted(deliveries.replay, 0),
    },
  }
}

/** Rotates a key, and lets the new one have the state of the old one. */
const rotating =
  (apiKeys: Stores['apiKeys'], keyStates: Pick<KeyStates, 'rotate'>): Stores['apiKeys']['rotateOwn'] =>
  async (key, by) => {
    const result = await apiKeys.rotateOwn(key, by)
    if (result === 'committed') keyStates.rotate(currentKey(), key.hash)
    return result
  }

/** Writes to the state of each request's tenant: no key is the current one. */
const ofEachTenant =
  ({ requests: log }: Stores, keyStates: Pick<KeyStates, 'ofTenant'>): Stores['requests']['record'] =>
  async (requests) => {
    for (const request of requests) {
      const state = keyStates.ofTenant(request.tenantId)
      if (state) await runAs(state, () => log.record([request]))
    }
  }

/** Flat strings: ids concatenated by V8 as ropes take five times the memory. */
const flatIds: Ids = { next: (prefix, at) => flat(systemIds.next(prefix, at)), uuid: (at) => flat(systemIds.uuid(at)) }
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** The private keys were discarded: USDT sent to an example address is lost. */
const xpub =
  'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX'

/** Derives addresses from the key, so that a key that was forgotten gets the same ones. */
function addressSource(): AddressSource {
  const addresses = tronAddresses(xpub)
  return { derive: (index) => addresses.derive(addressIndexOf(currentKey()) + index) }
}
