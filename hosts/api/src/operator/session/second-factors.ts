import type { Clock, KeyRing, RandomBytes } from '@quipu/core'
import {
  type Credential,
  type OperatorTokenStore,
  otpauthUri,
  type SecondFactorStore,
  stepOfCode,
  type UsedCode,
  usedCode,
} from '@quipu/core/operator'
import { aesSecretBox } from '@quipu/runtime'
import { ApiError } from '../../http/api-error.ts'
import { boxKeysOf } from '../../settings/sign-in-settings.ts'

export type SecondFactorPorts = {
  readonly secondFactors: SecondFactorStore
  readonly operatorTokens: Pick<OperatorTokenStore, 'authenticate'>
  readonly now: Clock
  readonly random: RandomBytes
}

/** Second factors by time (RFC 6238). */
export type SecondFactors = {
  /** A new secret as `otpauth:` URI, to be shown once. @throws ApiError 409 when one is in effect, or none can be */
  enrol(by: Credential, person: string): Promise<string>
  /**
   * Compares a code, as one of few attempts.
   *
   * @param hash  of what the code opens
   * @returns undefined when it is wrong
   * @throws ApiError 429 after too many
   */
  use(by: Credential, code: string, hash: string): Promise<UsedCode | undefined>
  /**
   * Encrypts by the current key each secret of an older one.
   *
   * @returns how many, and the people whose secrets no key of the ring can read
   */
  renew(): Promise<{ readonly renewed: number; readonly unreadable: readonly string[] }>
}

/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20

/** @param keys  undefined: nobody can enrol */
export function secondFactors(ports: SecondFactorPorts, keys: KeyRing | undefined): SecondFactors {
  const { secondFactors: store, operatorTokens, now, random } = ports
  const box = keys && aesSecretBox(boxKeysOf(keys), random)
  const context = (person: string): string => `second factor of ${person}`
  return {
    enrol: async (by, person) => {
      if (!box) throw new ApiError('SECOND_FACTOR_UNAVAILABLE')
      const secret = random(secretBytes)
      const kept = box.encrypt(Buffer.from(secret).toString('base64'), context(person))
      const result = await store.enrol(by, kept, now())
      if (result === 'unauthorized') throw new ApiError('AUTHENTICATION_FAILED')
      if (result === 'stale') throw new ApiError('SECOND_FACTOR_IN_EFFECT')
      return otpauthUri(person, secret)
    },
    use: async (by, code, hash) => {
      const at = now()
      const person = (await operatorTokens.authenticate(by.tokenHash, at))?.person
      const claimed = await store.claim(by, at)
      if (claimed === 'locked') throw new ApiError('SECOND_FACTOR_LOCKED')
      if (!box || !keys || person === undefined || typeof claimed === 'string') return undefined
      const secret = box.decrypt(claimed.secret, context(person))
      const step = secret === undefined ? undefined : stepOfCode(Buffer.from(secret, 'base64'), code, at)
      return step === undefined ? undefined : usedCode(keys, person, hash, step)
    },
    renew: async () => {
      const unreadable: string[] = []
      let renewed = 0
      if (!box) return { renewed, unreadable }
      for (const { person, secret: kept } of await store.secrets()) {
        if (kept.startsWith(`${box.keyIds[0]}.`)) continue
        const secret = box.decrypt(kept, context(person))
        if (secret === undefined) unreadable.push(person)
        else if (await store.renew(person, kept, box.encrypt(secret, context(person)))) renewed += 1
      }
      return { renewed, unreadable }
    },
  }
}
