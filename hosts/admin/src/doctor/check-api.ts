import { operatorDocument } from '../api/openapi.ts'
import { ApiError, type CallApi, callApi } from '../connection/call-api.ts'
import { connectionOf } from '../connection/connection.ts'
import { fail, failing, type Finding, ok, warn } from './finding.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Whether the API at QUIPU_OPERATOR_URL is ready, accepts the token, and is of this release. */
export async function checkApi(env: Env): Promise<readonly Finding[]> {
  if (!env['QUIPU_OPERATOR_URL']) return [ok('api', 'not asked: QUIPU_OPERATOR_URL is not set')]
  const mend = 'Check QUIPU_OPERATOR_URL, and the log of the API.'
  return failing('api', mend, async () => {
    const connection = await connectionOf({}, env)
    const call = callApi(connection, 10_000)
    const get = (path: string) => call({ method: 'get', path, headers: {}, body: undefined })
    await get('/readyz')
    const released = await sameRelease(get)
    const token =
      connection.token === undefined
        ? warn('api.token', 'no token', 'Set QUIPU_OPERATOR_TOKEN or QUIPU_OPERATOR_TOKEN_FILE.')
        : await tokenFinding(get)
    return [ok('api', `${connection.url} is ready`), released, token]
  })
}

type Get = (path: string) => ReturnType<CallApi>

async function sameRelease(get: Get): Promise<Finding> {
  const { json } = await get('/operator/v1/openapi.json')
  const theirs = Object.keys((json as { readonly paths?: object }).paths ?? {})
  const ours = Object.keys((await operatorDocument()).paths)
  const isSame = theirs.length === ours.length && ours.every((path) => theirs.includes(path))
  return isSame
    ? ok('api.release', 'has the operations of this program')
    : warn('api.release', 'has other operations than this program', 'Use the quipu-admin of the API’s release.')
}

async function tokenFinding(get: Get): Promise<Finding> {
  try {
    await get('/operator/v1/tenants?limit=1')
    return ok('api.token', 'accepted')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return fail('api.token', error.error.code, 'Ask an admin for a token.')
  }
}
