import { type ClientCall, clientCalls } from './client-calls.ts'
import {
  bodyOf,
  indented,
  plainHeaders,
  type SampleCredential,
  type SampleRequest,
  targetOf,
} from './sample-request.ts'

/** The request in TypeScript: with the client where it has a method for it, else with `fetch`. */
export function typescript(request: SampleRequest): string {
  const call = callOf(request)
  return call ? withClient(request, call) : withFetch(request)
}

/** The call of the client; undefined: it has none. */
export function clientExpression(request: SampleRequest): string | undefined {
  const call = callOf(request)
  return call && `client.${call.method}(${argumentsOf(request, call).join(', ')})`
}

/** The client is the tenants’: operations of operators can have the same names. */
const callOf = ({ path, operationId }: SampleRequest): ClientCall | undefined =>
  path.startsWith('/operator/') ? undefined : clientCalls[operationId]

function withClient(request: SampleRequest, { isList }: ClientCall): string {
  const { base, credential } = request
  const key = credential ? keyText(credential) : `'none'`
  const expression = clientExpression(request)
  const use = isList
    ? [`for await (const item of ${expression}) {`, '  console.log(item)', '}']
    : [`console.log(await ${expression})`]
  return [
    ...environment(credential),
    `import { quipu } from '@quipu/client'`,
    '',
    'const client = quipu({',
    `  baseUrl: ${text(base)},`,
    `  apiKey: ${key},`,
    '})',
    ...use,
  ].join('\n')
}

function argumentsOf(request: SampleRequest, { takes }: ClientCall): string[] {
  const written = takes.map((taken) => {
    if (taken === 'body') return request.body === '' ? '' : literal(bodyOf(request))
    if (taken === 'query') return queryText(request)
    if (taken === 'idempotencyKey') {
      const [header] = request.headers
      return header ? `{ idempotencyKey: ${text(header[1])} }` : ''
    }
    return text(request.pathValues.find(([name]) => name === taken)?.[1] ?? '')
  })
  return written.filter((argument) => argument !== '')
}

function queryText({ query }: SampleRequest): string {
  if (query.length === 0) return ''
  const members = query.map(([name, value]) => `${name}: ${name === 'limit' ? value : text(value)}`)
  return `{ ${members.join(', ')} }`
}

function withFetch(request: SampleRequest): string {
  const { method, base, credential, body } = request
  const headers = [
    ...(credential ? [`${property(credential.header)}: ${prefixedKey(credential)},`] : []),
    ...plainHeaders(request).map(([name, value]) => `${property(name)}: ${text(value)},`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${text(method)},`]),
    ...(headers.length === 0 ? [] : ['headers: {', ...headers.map((line) => `  ${line}`), '},']),
    ...(body === '' ? [] : [`body: JSON.stringify(${literal(bodyOf(request))}),`]),
  ]
  const url = text(base + targetOf(request))
  return [
    ...environment(credential),
    ...(options.length === 0
      ? [`const response = await fetch(${url})`]
      : [`const response = await fetch(${url}, {`, ...options.map((line) => `  ${indented(line, '  ')}`), '})']),
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const environment = (credential: SampleCredential | undefined): string[] =>
  credential && credential.shownKey === undefined ? [`import { env } from 'node:process'`] : []

const keyText = ({ shownKey, variable }: SampleCredential): string =>
  shownKey === undefined ? `env['${variable}'] ?? ''` : text(shownKey)

const prefixedKey = (credential: SampleCredential): string => {
  const { prefix, shownKey, variable } = credential
  if (shownKey !== undefined) return text(prefix + shownKey)
  return prefix === '' ? keyText(credential) : `\`${prefix}\${env['${variable}']}\``
}

const text = (value: string): string =>
  `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name))

/** A value as TypeScript writes it. */
function literal(value: unknown): string {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items = isList
    ? value.map(literal)
    : Object.entries(value).map(([name, member]) => `${property(name)}: ${literal(member)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  return `${open}\n${items.map((item) => `  ${indented(item, '  ')},\n`).join('')}${close}`
}
