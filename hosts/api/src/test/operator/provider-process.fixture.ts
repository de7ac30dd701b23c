import { Provider } from 'oidc-provider'

// A process with a real OpenID provider, for `startProvider`: its port and the client's callback are arguments.

const [port = '', redirectUri = '', loggedOut = ''] = process.argv.slice(2)

const groups: Readonly<Record<string, readonly string[]>> = {
  Olivia: ['quipu-admins', 'everyone'],
  omar: ['payments'],
  nina: ['everyone'],
  'Not A Name': ['payments'],
}

const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    {
      client_id: 'console',
      client_secret: 'the secret of the console',
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [loggedOut],
    },
  ],
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, groups: groups[id] ?? [] }),
  }),
  pkce: { required: () => true },
  cookies: { keys: ['a key of tests'] },
})
provider.listen(Number(port), () => process.send?.('ready'))
