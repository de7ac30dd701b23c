// Runs the client in a context with only the globals that every runtime has. Run by portable.test.ts.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import vm from 'node:vm'

const context = vm.createContext({
  AbortController,
  AbortSignal,
  DOMException,
  Headers,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  Uint8Array, // The one of its Web Crypto.
  clearTimeout,
  crypto,
  performance,
  setTimeout,
})

const modules = new Map<string, vm.SourceTextModule>()

/** Loads a module of the client. Only relative imports resolve here. */
function load(url: URL): vm.SourceTextModule {
  const known = modules.get(url.href)
  if (known) return known
  const source = stripTypeScriptTypes(readFileSync(url, 'utf8'))
  const module = new vm.SourceTextModule(source, { context, identifier: url.href })
  modules.set(url.href, module)
  return module
}

const program = new vm.SourceTextModule(
  `
  import { quipu, signWebhook } from './index.ts'
  import { fetchReceiver } from './webhook/fetch.ts'
  const result = {}
  result.globals = ['Buffer', 'process', 'require'].map((name) => name + ': ' + typeof globalThis[name])
  const fetch = async (url, { method }) => {
    result.request = method + ' ' + url
    return new Response('{"available":"1.000000"}')
  }
  const client = quipu({ apiKey: 'qpu_test_key', baseUrl: 'https://api.example.com', fetch })
  result.answer = await client.wallets.get()

  const secrets = 'whsec_1'
  let type
  const receive = fetchReceiver({ secrets, onEvent: (event) => { type = event.type }, onError() {} })
  const body = JSON.stringify({ id: 'e1', type: 'webhook.test', data: { webhook_id: 'we_1' } })
  const post = async (secret) => {
    const headers = await signWebhook({ id: 'e1', body }, secret)
    return (await receive(new Request('https://a.example', { method: 'POST', headers, body }))).status
  }
  result.received = [await post('whsec_1'), type]
  result.refused = await post('whsec_2')
  export { result }
  `,
  { context, identifier: new URL('program.ts', import.meta.url).href },
)
await program.link((specifier, from) => load(new URL(specifier, from.identifier)))
await program.evaluate()
process.stdout.write(JSON.stringify((program.namespace as { result: unknown }).result))
