import type { CallApi } from '../connection/call-api.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { type KeyUseJson, type RingSetting, ringSettings } from './rotation.ts'

/** Reads what the keys of a setting have made. @throws CommandError when the API does not have the setting */
export async function readKeyUse(call: CallApi, setting: RingSetting): Promise<readonly KeyUseJson[]> {
  const request = { method: 'get', path: '/operator/v1/key-use', headers: {}, body: undefined }
  const { json } = await call(request)
  const keys = (json as Readonly<Record<string, readonly KeyUseJson[] | null>>)[ringSettings[setting]]
  if (keys) return keys
  throw new CommandError(exitCodes.refused, `The API runs without ${setting}: nothing to rotate.`)
}
