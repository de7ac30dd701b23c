import { type AddressSource, type Clock, type Ids, type Stores, Unavailable } from '@quipu/core'
import { memoryStoresOver } from '@quipu/memory'
import { systemIds, systemRandom } from '@quipu/runtime'
import { tronAddresses } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { currentWorld, worldIfAny } from './key/current-key.ts'
import { mockNetwork } from './network/mock-network.ts'
import { addressIndexOf } from './key/key-state.ts'
import type { Worlds } from './key/key-states.ts'

/** What use cases stand on: each part is the current world's, whichever that is. */
export type Parts = ReturnType<typeof partsOf>

export function partsOf(worlds: Pick<Worlds, 'stir'>, realNow: Clock) {
  const now: Clock = () => worldIfAny()?.now() ?? realNow()
  return {
    stores: watched(
      memoryStoresOver(() => currentWorld().database),
      worlds,
    ),
    network: mockNetwork(() => currentWorld().network, now),
    now,
    ids: flatIds,
    random: systemRandom,
    encodeEvent,
    topUps: { source: addressSource(), addressMacKey: systemRandom(32) },
  }
}

/** The same stores, with what an example server has besides. */
function watched(stores: Stores, worlds: Pick<Worlds, 'stir'>): Stores {
  const { payouts, quotes, resolutions, scans, deposits, faucet, webhooks, deliveries } = stores
  const stir = (records: number): void => worlds.stir(currentWorld(), records)
  /** Tells that a method has been called, which adds so many records. */
  const watch =
    <Given extends unknown[], Answer>(method: (...given: Given) => Answer, records: number) =>
    (...given: Given): Answer => {
      stir(records)
      return method(...given)
    }
  return {
    ...stores,
    payouts: {
      ...payouts,
      commit: watch(losingAnswers(payouts), 2),
      // What is released is late: only now is it known that it must be asked for.
      yieldClaim: watch(payouts.yieldClaim, 0),
    },
    quotes: { ...quotes, insert: watch(quotes.insert, 1) },
    resolutions: { ...resolutions, insert: watch(resolutions.insert, 1) },
    scans: { ...scans, advance: watch(scans.advance, 2) },
    deposits: { ...deposits, commit: watch(deposits.commit, 1) },
    faucet: { ...faucet, commit: watch(faucet.commit, 1) },
    webhooks: {
      ...webhooks,
      insert: watch(webhooks.insert, 1),
      reactivate: watch(webhooks.reactivate, 0),
    },
    deliveries: {
      ...deliveries,
      record: watch(deliveries.record, 1),
      resend: watch(deliveries.resend, 0),
    },
  }
}

/** Where the network says so a payout is settled, and the answer is lost on its way back. */
const losingAnswers =
  (payouts: Stores['payouts']): Stores['payouts']['commit'] =>
  async (write) => {
    const committed = await payouts.commit(write)
    if (write.kind === 'settle' && currentWorld().network.unheard.delete(write.step.payout.id))
      throw new Unavailable('store', 'the answer was lost, as the QR says')
    return committed
  }

/** The same ids in one piece each: put together from parts they take five times the memory. */
const flatIds: Ids = {
  next: (prefix, at) => flat(systemIds.next(prefix, at)),
  uuid: (at) => flat(systemIds.uuid(at)),
}
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')

/** Nobody has the private keys: what is really sent to an example address is lost. */
const xpub =
  'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX'

/** Other addresses for every key, and the same ones whenever it is seen. */
function addressSource(): AddressSource {
  const addresses = tronAddresses(xpub)
  return { derive: (index) => addresses.derive(addressIndexOf(currentWorld()) + index) }
}
