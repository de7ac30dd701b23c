import type { AddressSource, Clock } from '@quipu/core'
import { systemIds, systemRandom } from '@quipu/runtime'
import { tronAddresses } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { currentWorld, ofCurrentWorld, worldIfAny } from './current-world.ts'
import { type World, type WorldPorts } from './world.ts'
import type { Worlds } from './worlds.ts'

/** What use cases stand on: each part is the current world's, whichever that is. */
export type Parts = ReturnType<typeof partsOf>

/** The methods that add records. */
const adding: ReadonlySet<string | symbol> = new Set(['insert', 'commit', 'advance', 'record'])
/** The methods after which something may be due. */
const stirring: ReadonlySet<string | symbol> = new Set(['reactivate', 'resend'])

export function partsOf(worlds: Worlds, { realNow }: Pick<WorldPorts, 'realNow'>) {
  const watch = (world: World, method: string | symbol): void => {
    if (adding.has(method)) worlds.stir(world, 1)
    else if (stirring.has(method)) worlds.stir(world)
  }
  const store = <Name extends keyof World['stores']>(name: Name): World['stores'][Name] =>
    ofCurrentWorld((world) => world.stores[name], watch)
  const now: Clock = () => worldIfAny()?.now() ?? realNow()
  return {
    stores: {
      payouts: store('payouts'),
      quotes: store('quotes'),
      resolutions: store('resolutions'),
      wallets: store('wallets'),
      tenants: store('tenants'),
      apiKeys: store('apiKeys'),
      addresses: store('addresses'),
      scans: store('scans'),
      deposits: store('deposits'),
      faucet: store('faucet'),
      events: store('events'),
      webhooks: store('webhooks'),
      deliveries: store('deliveries'),
    },
    network: ofCurrentWorld(({ network }) => network),
    now,
    ids: systemIds,
    random: systemRandom,
    encodeEvent,
    topUps: { source: addressSource(), sealKey: systemRandom(32) },
  }
}

/** Nobody has the private keys: what is really sent to an example address is lost. */
const xpub =
  'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX'

/** Other addresses for every key, and the same ones whenever it is seen. */
function addressSource(): AddressSource {
  const addresses = tronAddresses(xpub)
  return { derive: (index) => addresses.derive(currentWorld().addressIndex + index) }
}
