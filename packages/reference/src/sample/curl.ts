import { bodyOf, plainHeaders, type SampleRequest, targetOf } from './sample-request.ts'

/** Quotes text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The curl command of a request. */
export function curl(request: SampleRequest): string {
  const { method, base, credential, body } = request
  const isPlain = method === (body === '' ? 'GET' : 'POST')
  const key = credential && (credential.shownKey ?? `$${credential.variable}`)
  const json = bodyOf(request)
  const lines = [
    `curl${isPlain ? '' : ` -X ${method}`} "${base}${targetOf(request)}"`,
    ...(credential ? [`-H "${credential.header}: ${credential.prefix}${key}"`] : []),
    ...plainHeaders(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`-d ${quoted(json === body ? body : JSON.stringify(json, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}
