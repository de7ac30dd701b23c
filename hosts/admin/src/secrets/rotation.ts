import type { KeyRing, NamedKey } from '@quipu/core'

/** A setting that holds a ring of keys, and its member in the answer to `GET /operator/v1/key-use`. */
export const ringSettings = { WEBHOOK_SECRET_KEY: 'webhook_secrets', ADDRESS_MAC_KEY: 'address_macs' } as const
export type RingSetting = keyof typeof ringSettings

/** The values that a key has made, in the answer. */
export type KeyUseJson = {
  readonly id: string
  readonly values: number
  readonly current: boolean
  /** Whether the API has the key. */
  readonly configured: boolean
}

/**
 * Where a rotation is, by the setting alone: `add` a new key at the end, `promote` it to the front, then `renew`
 * what the older keys have made.
 */
export type RotationStep = 'add' | 'promote' | 'renew'

const numberOf = ({ id }: NamedKey): number => Number(id)

/** The key with the highest id: the one that the rotation brings in. */
const newestOf = (ring: KeyRing): NamedKey =>
  ring.reduce((newest, key) => (numberOf(key) > numberOf(newest) ? key : newest))

/** Whether every id is a number, so that the newest key is known. */
export const hasNumbers = (ring: KeyRing): boolean => ring.every(({ id }) => /^[0-9]+$/.test(id))

export function stepOf(ring: KeyRing): RotationStep {
  if (ring.length === 1) return 'add'
  return newestOf(ring) === ring[0] ? 'renew' : 'promote'
}

/** The ring after a step. @param fresh  the bytes of a new key */
export function ringAfter(ring: KeyRing, step: RotationStep, fresh: () => Uint8Array): KeyRing {
  const newest = newestOf(ring)
  switch (step) {
    case 'add':
      return [...ring, { id: String(numberOf(newest) + 1), key: fresh() }]
    case 'promote':
      return [newest, ...ring.filter((key) => key !== newest)]
    case 'renew':
      return [newest]
  }
}

/** As the setting has it: `2:<64 hex digits>,1:<64 hex digits>`. */
export const ringText = (ring: KeyRing): string =>
  ring.map(({ id, key }) => `${id}:${Buffer.from(key).toString('hex')}`).join(',')

/**
 * Why a step must wait: the API does not run with the setting before it. Undefined if it does.
 *
 * @param ring  the setting that the operator names
 */
export function refusalOf(ring: KeyRing, step: RotationStep, keys: readonly KeyUseJson[]): string | undefined {
  const lost = keys.find(({ configured, values }) => !configured && values > 0)
  if (lost !== undefined)
    return `The API lacks key ${lost.id}, which has made ${lost.values} values: put it back at the end of the setting of every process.`
  const current = keys.find((key) => key.current)?.id
  const newest = newestOf(ring).id
  const isConfigured = keys.some(({ id, configured }) => id === newest && configured)
  if (!isConfigured)
    return `The API does not have key ${newest} yet: give this setting to every API and worker, and restart them one by one.`
  const isSameRing = keys.filter(({ configured }) => configured).length === ring.length
  // While processes are restarted one by one, some still run with the former setting.
  if (step !== 'renew' && (current !== ring[0].id || !isSameRing))
    return `The API runs with another setting: its keys are ${idsOf(keys)}. Name the setting with which the processes run.`
  return undefined
}

const idsOf = (keys: readonly KeyUseJson[]): string =>
  keys
    .filter(({ configured }) => configured)
    .map(({ id, current }) => (current ? `${id} (current)` : id))
    .join(', ')
