import { addressMac, hasValidMac } from '../top-up-address/address-mac.ts'
import type { TopUpAddress, TopUpAddressStore } from '../top-up-address/ports.ts'
import { type EncryptedSecret, secretContext } from '../webhook/endpoint.ts'
import type { EndpointSecrets, WebhookStore } from '../webhook/ports.ts'
import type { SecretBox } from '../webhook/secret-box.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'

/** How many values one call renews at most. */
export const renewalBatch = 500

/** The counts that one call renewed. */
export type Renewal = {
  /** Where the next call begins; null when there was no further value. */
  readonly next: string | null
  readonly renewed: number
  /** The endpoints or addresses whose values no key of the ring has made, or that were changed. They stay as they are. */
  readonly unreadable: readonly string[]
}

/** Renews the next values after this id. `''` begins at the first one. */
export type Renew = (after: string) => Promise<Renewal>

/** The ports of `renewSecrets`. */
export type RenewSecretsPorts = {
  readonly webhooks: Pick<WebhookStore, 'listByOtherKeys' | 'renewSecrets'>
  readonly secretBox: SecretBox
}

/**
 * Encrypts with the current key the signing secrets that an older key encrypted, so that the older one can be
 * deleted. A secret that a tenant rotates meanwhile stays as the rotation left it; the next pass renews it.
 *
 * @example
 * ```ts
 * const renewal = await renewSecrets(ports)('')
 * console.log(renewal.next, renewal.renewed) // null 0
 * ```
 */
export function renewSecrets(ports: RenewSecretsPorts): Renew {
  const { webhooks, secretBox } = ports
  return async (after) => {
    const found = await webhooks.listByOtherKeys(secretBox.keyIds[0], after, renewalBatch)
    const renewEndpoint = async (from: EndpointSecrets): Promise<Outcome> => {
      const unreadable = new Set<EncryptedSecret>()
      const secrets = from.secrets.map((secret) => {
        const renewed = renewSecret(secretBox, from.id, secret)
        if (renewed === undefined) unreadable.add(secret)
        return renewed ?? secret
      })
      const isAll = unreadable.size === secrets.length
      const isRenewed = !isAll && (await webhooks.renewSecrets(from, secrets))
      return { id: from.id, isRenewed, isReadable: unreadable.size === 0 }
    }
    return renewalOf(await inTurn(found, renewEndpoint))
  }
}

function renewSecret(secretBox: SecretBox, endpointId: string, stored: EncryptedSecret): EncryptedSecret | undefined {
  const context = secretContext(endpointId, stored.expiresAt)
  const secret = secretBox.decrypt(stored.ciphertext, context)
  return secret === undefined ? undefined : { ...stored, ciphertext: secretBox.encrypt(secret, context) }
}

/** The ports of `renewAddressMacs`. */
export type RenewAddressMacsPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'listByOtherKeys' | 'renewMac'>
  readonly addressMacKeys: KeyRing
}

/**
 * Makes with the current key the MACs of top-up addresses that an older key made, so that the older one can be
 * deleted. A MAC that does not match is not renewed.
 *
 * @example
 * ```ts
 * await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * const key = { id: '2', key: new Uint8Array(32).fill(2) }
 * const rotated = { ...ports, addressMacKeys: [key, ...ports.addressMacKeys] } as const
 * const renewal = await renewAddressMacs(rotated)('')
 * console.log(renewal.next, renewal.renewed) // null 1
 * ```
 */
export function renewAddressMacs(ports: RenewAddressMacsPorts): Renew {
  const { addresses, addressMacKeys } = ports
  return async (after) => {
    const [{ id: keyId }] = addressMacKeys
    const found = await addresses.listByOtherKeys(keyId, after, renewalBatch)
    const renewAddress = async (topUp: TopUpAddress): Promise<Outcome> => {
      const isReadable = hasValidMac(addressMacKeys, topUp)
      const isRenewed = isReadable && (await addresses.renewMac(topUp, addressMac(addressMacKeys, topUp)))
      return { id: topUp.account, isRenewed, isReadable }
    }
    return renewalOf(await inTurn(found, renewAddress))
  }
}

type Outcome = { readonly id: string; readonly isRenewed: boolean; readonly isReadable: boolean }

async function inTurn<Item>(
  items: readonly Item[],
  renew: (item: Item) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const item of items) outcomes.push(await renew(item))
  return outcomes
}

const renewalOf = (outcomes: readonly Outcome[]): Renewal => ({
  next: outcomes.length < renewalBatch ? null : (outcomes.at(-1)?.id ?? null),
  renewed: outcomes.filter(({ isRenewed }) => isRenewed).length,
  unreadable: outcomes.filter(({ isReadable }) => !isReadable).map(({ id }) => id),
})
