import { type KeyRing, macOf } from '../key-ring/key-ring.ts'
import type { ProvenSignIn } from './ports.ts'

/** The text that `signInMac` is over. */
export const signInText = ({ person, role, tokenHash, hash, expiresAt }: Omit<ProvenSignIn, 'mac'>): string =>
  ['sign_in', person, role, tokenHash, hash, expiresAt.toISOString()].join('\n')

/** Proves to the store that a process with a key of `OPERATOR_SIGN_IN_KEY` has seen the sign-in. */
export const signInMac = (keys: KeyRing, signIn: Omit<ProvenSignIn, 'mac'>): string => macOf(keys, signInText(signIn))
