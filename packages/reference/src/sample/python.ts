import {
  bodyOf,
  indented,
  plainHeaders,
  type SampleCredential,
  type SampleRequest,
  targetOf,
} from './sample-request.ts'

/** The request in Python, with its standard library alone. */
export function python(request: SampleRequest): string {
  const { method, base, credential, body } = request
  const headers = [
    ...(credential ? [`"${credential.header}": ${keyText(credential)},`] : []),
    ...plainHeaders(request).map(([name, value]) => `${text(name)}: ${text(value)},`),
  ]
  const call = [
    `${text(base + targetOf(request))},`,
    ...(method === 'GET' ? [] : [`method=${text(method)},`]),
    ...(headers.length === 0 ? [] : ['headers={', ...headers.map((line) => `    ${line}`), '},']),
    ...(body === '' ? [] : [`data=json.dumps(${indented(literal(bodyOf(request)), '    ')}).encode(),`]),
  ]
  const modules = [
    ...(body === '' ? [] : ['json']),
    ...(credential && credential.shownKey === undefined ? ['os'] : []),
    'urllib.request',
  ]
  return [
    `import ${modules.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    ...call.map((line) => `    ${line}`),
    ')',
    'with urllib.request.urlopen(request, timeout=30) as answer:',
    '    print(answer.status, answer.read().decode())',
  ].join('\n')
}

const text = (value: string): string => JSON.stringify(value)

const keyText = ({ shownKey, prefix, variable }: SampleCredential): string =>
  shownKey === undefined
    ? `${prefix === '' ? '' : `${text(prefix)} + `}os.environ["${variable}"]`
    : text(prefix + shownKey)

/** A value as Python writes it: as JSON, but for these names. */
function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const isList = Array.isArray(value)
  const items = isList
    ? value.map(literal)
    : Object.entries(value).map(([name, member]) => `${text(name)}: ${literal(member)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  return `${open}\n${items.map((item) => `    ${indented(item, '    ')},\n`).join('')}${close}`
}
