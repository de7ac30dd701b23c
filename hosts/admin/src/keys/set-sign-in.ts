import { setSignInKeys } from '@quipu/postgres'
import { keyRing, OwnerSettings } from '@quipu/runtime'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { atDatabase } from '../database-failure.ts'
import { ownerOf, settingsOf } from '../settings.ts'

const KeySettings = z.object({ OPERATOR_SIGN_IN_KEY: keyRing('the keys that prove sign-ins') })

/** Gives the keys to the database, as its owner. @throws CommandError */
export async function runSetSignIn({ terminal, env }: Context): Promise<void> {
  const { OPERATOR_SIGN_IN_KEY: keys } = settingsOf(KeySettings, env)
  const owner = ownerOf(settingsOf(OwnerSettings, env))
  await atDatabase('The keys were not set', setSignInKeys(owner, keys))
  terminal.error(`The database recognizes sign-ins by the keys ${keys.map(({ id }) => id).join(', ')}.\n`)
}
