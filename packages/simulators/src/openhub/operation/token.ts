import type { Call, Route } from '../../json-server.ts'
import type { Hub } from '../hub.ts'
import { handled } from '../route.ts'

/** `POST /oauth-client-credentials/access-token?grant_type=client_credentials` */
export function tokenRoute(hub: Hub): Route {
  const { options, tokens, switches } = hub
  const basic = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64')
  const isClient = ({ headers, query }: Call): boolean =>
    headers.authorization === `Basic ${basic}` && query.get('grant_type') === 'client_credentials'
  return {
    method: 'POST',
    path: '/oauth-client-credentials/access-token',
    handle: (call) =>
      handled(hub, 'token', undefined, async () => {
        const { token_refused, token_status, token_life_seconds } = switches.current()
        if (token_refused || !isClient(call)) return { status: 401, json: invalidClient }
        const access_token = tokens.issue()
        return {
          status: token_status,
          json: { access_token, token_type: 'access_token', expires_in: token_life_seconds },
        }
      }),
  }
}

const invalidClient = { error: 'invalid_client', error_description: 'Las credenciales no son válidas.' }
