import { memberAt } from '@quipu/client/terminal'
import type { ApiRequest, CallApi } from '../connection/call-api.ts'
import { CommandError, exitCodes } from '../exit.ts'
import type { Terminal } from '../terminal.ts'
import type { Operation } from './operations.ts'

const read = async (call: CallApi, path: string): Promise<unknown> =>
  (await call({ method: 'get', path: `/operator/v1${path}`, headers: {}, body: undefined })).json

const lastId = (path: string): string => path.split('/').find((part) => /^[a-z]{2,5}_/.test(part)) ?? ''

const tenantName = async (call: CallApi, id: string): Promise<unknown> =>
  memberAt(await read(call, `/tenants/${id}`), 'legal_name')

/** The tenant whose record this is. */
async function ownerName(call: CallApi, { path }: ApiRequest): Promise<unknown> {
  const found = memberAt(await read(call, `/search?q=${encodeURIComponent(lastId(path))}`), 'data')
  const tenant = Array.isArray(found) ? memberAt(found[0], 'tenant_id') : undefined
  return typeof tenant === 'string' ? tenantName(call, tenant) : undefined
}

async function tokenPerson(call: CallApi, { path }: ApiRequest): Promise<unknown> {
  const tokens = memberAt(await read(call, '/operator-tokens?limit=100'), 'data')
  const id = lastId(path)
  const own: unknown = Array.isArray(tokens) ? tokens.find((token: unknown) => memberAt(token, 'id') === id) : undefined
  return memberAt(own, 'person')
}

/** Operations that cannot be undone, or stop a tenant, each with the name that the person types. */
const named: Readonly<Record<string, (call: CallApi, request: ApiRequest) => Promise<unknown>>> = {
  suspendTenant: (call, { path }) => tenantName(call, lastId(path)),
  rotateTopUpAddress: (call, { path }) => tenantName(call, lastId(path)),
  revokeApiKey: ownerName,
  revokeOperatorToken: tokenPerson,
  stopPayouts: async () => 'stop payouts',
}

/** Whether the operation asks for a name on a terminal. */
export const isConfirmed = ({ id }: Pick<Operation, 'id'>): boolean => id in named

/**
 * On a terminal, asks for the name of what is at stake. A program has none, and passes `--yes` where it runs on one.
 *
 * @throws CommandError when another text was typed
 */
export async function confirmName(
  { id }: Pick<Operation, 'id'>,
  request: ApiRequest,
  call: CallApi,
  { ask }: Pick<Terminal, 'ask'>,
): Promise<void> {
  const nameOf = named[id]
  if (nameOf === undefined || ask === undefined) return
  const found = await nameOf(call, request)
  const name = typeof found === 'string' && found !== '' ? found : lastId(request.path)
  const typed = await ask(`This cannot be undone, or stops “${name}”. Type the name to go on: `)
  if (typed.trim() !== name) throw new CommandError(exitCodes.refused, 'Another name: nothing was changed.')
}
