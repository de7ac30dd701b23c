import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { operatorOpenApi, publicOpenApi } from '@quipu/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtAssets } from './bundle/bundle.ts'
import { contextOf } from './document/context.ts'
import { codeOf } from './document/errors.ts'
import { exampleOf } from './schema/fields.ts'
import { choicesOf, knownKeywords } from './schema/limits.ts'
import { endpointsOf, type OpenApi, type Schema } from './document/open-api.ts'
import { guideFiles, type GuideName } from './guide/guide.ts'
import { pageOf, type ReferencePage } from './page.ts'

const assets = await builtAssets()
const guides = Object.keys(guideFiles) as GuideName[]

/** Name, document, path, least number of error codes, most compressed bytes: 1.6 Mbit/s load 160 kB in 0.8 s. */
const documents = [
  ['public', publicOpenApi({ isExample: true }), 'v1/openapi.json', 25, 160_000],
  ['operator', operatorOpenApi(), 'operator/v1/openapi.json', 15, 230_000],
] as const

/** Operators have guides of their own, in English. */
const guidesOf = (name: string): readonly GuideName[] =>
  guides.filter((guide) => /^(?:operations\/|accounting|security)/.test(guideFiles[guide]) === (name === 'operator'))

describe.each(documents)('the page of the %s API', (name, openApi, documentPath, leastCodes, bytesMax) => {
  const text = JSON.stringify(openApi)
  const document = JSON.parse(text) as OpenApi
  const servers = [{ name: 'This server', url: '' }]
  const pageFor = (openApi: string): ReferencePage =>
    pageOf(openApi, { documentPath, servers, guides: guidesOf(name) }, assets)
  const page = pageFor(text)

  /** The HTML of the section or entry with this anchor. */
  function at(anchor: string): string {
    const [, after = ''] = page.html.split(new RegExp(`\\sid="${anchor.replace('.', '[.]')}"`))
    return after.slice(0, after.search(/<\/section>| id="(?:error|review)-/))
  }

  /** The words that are missing from the text. */
  const missing = (shown: string, words: readonly string[]): string[] => words.filter((word) => !shown.includes(word))

  const fieldHtml = (name: string): string => `<code class="name">${name}</code>`

  const escaped = (words: string): string =>
    words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

  /** The schema and its inline parts, without referenced schemas. */
  const within = (schema: Schema): Schema[] => [
    schema,
    ...[
      ...Object.values(schema.properties ?? {}),
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.items ? [schema.items] : []),
      ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ].flatMap(within),
  ]

  const schemas = Object.entries(document.components.schemas)
  const endpoints = endpointsOf(document.paths)
  const events = endpointsOf(document['x-webhooks'])

  test.each(endpoints)('has $method $path with all members and a form', (endpoint) => {
    const { method, path, operation } = endpoint
    const { operationId, summary, parameters = [], responses } = operation
    const words = [
      escaped(summary),
      `<code>${path}</code>`,
      `data-method="${method}"`,
      ...parameters.map(({ name }) => fieldHtml(name)),
      ...Object.keys(responses),
    ]
    expect(missing(at(operationId), words)).toEqual([])
  })

  test.each(schemas)('has %s with every field and its constraints', (name, schema) => {
    const words = within(schema).flatMap(({ properties = {}, enum: values = [], description = '' }) => [
      ...Object.keys(properties).map(fieldHtml),
      ...values.filter((value) => typeof value === 'string').map((value) => `<code>${value}</code>`),
      ...description.split('`').flatMap((part) => escaped(part).split(/\n\s*\n/)),
    ])
    expect(missing(at(`schema-${name}`), words)).toEqual([])
  })

  test('has every error code with its answer', () => {
    const answers = endpoints.flatMap(({ operation }) => Object.values(operation.responses))
    const codes = [...answers, ...Object.values(document['x-responses'] ?? {})]
      .flatMap(({ content = {} }) => Object.values(content))
      .flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => codeOf(value)))
      .filter((code) => code !== undefined)
    expect(new Set(codes).size).toBeGreaterThan(leastCodes)
    const unnamed = codes.filter((code) => !at(`error-${code}`).includes(`"${code}"`))
    expect(unnamed).toEqual([])
  })

  test('explains every code: when, what was debited, what to do, whether to retry', () => {
    const { errors, payouts, reviews } = contextOf(document).codes
    const anchors = [
      ...Object.keys({ ...errors, ...payouts }).map((code) => `error-${code}`),
      ...Object.keys(reviews).map((code) => `review-${code}`),
    ]
    expect(anchors.length).toBeGreaterThan(leastCodes)
    const parts = ['When', 'Debited', 'What to do', 'Retry'].map((part) => `<dt>${part}</dt>`)
    expect(anchors.filter((anchor) => missing(at(anchor), parts).length > 0)).toEqual([])
    for (const { remedy } of Object.values({ ...errors, ...payouts, ...reviews }))
      expect(page.html).toContain(escaped(remedy.split('`')[0] ?? ''))
  })

  test('has every guide, whose links lead to what the page has', () => {
    const anchors = new Set(Array.from(page.html.matchAll(/\sid="([^"]*)"/g), ([, id]) => id))
    const targets = Array.from(page.html.matchAll(/href="#([^"]*)"/g), ([, to = '']) => to)
    expect(targets.filter((target) => !anchors.has(target))).toEqual([])
    const shown: readonly string[] = guidesOf(name)
    for (const guide of assets.guides.filter((each) => shown.includes(each.name))) {
      expect(at(`guide-${guide.name}`)).toContain(guide.title)
      expect(guide.html.length).toBeGreaterThan(1_000)
    }
  })

  test.each(events)('has the event $path with its body', ({ path, operation }) => {
    const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
    const plain = at(`event-${path}`).replaceAll(/<\/?b>/g, '')
    expect(example).toBeDefined()
    expect(missing(plain, [escaped(JSON.stringify(example?.value, null, 2))])).toEqual([])
  })

  test('every field and every parameter has an example or a list of values', () => {
    const context = contextOf(document)
    const parameters = [...endpoints, ...events].flatMap(({ operation }) =>
      (operation.parameters ?? []).map(({ name, schema }): [string, Schema] => [name, schema]),
    )
    const fields = schemas.flatMap(([name, schema]) =>
      within(schema).flatMap(({ properties = {} }) =>
        Object.entries(properties).map(([field, inner]): [string, Schema] => [`${name}.${field}`, inner]),
      ),
    )
    const without = [...parameters, ...fields].filter(
      ([, schema]) =>
        exampleOf(schema, context) === undefined &&
        !choicesOf(schema).some((choice) => choice.const !== undefined || choice.enum || choice['x-extensible-enum']),
    )
    expect(without.map(([name]) => name)).toEqual([])
  })

  test('the document uses only keywords that the page describes', () => {
    const used = new Set(
      [...schemas.map(([, schema]) => schema), ...endpoints.flatMap(bodiesOf)]
        .flatMap(within)
        .flatMap((schema) => Object.keys(schema)),
    )
    expect([...used].filter((keyword) => !knownKeywords.has(keyword))).toEqual([])
  })

  const bodiesOf = ({ operation }: (typeof endpoints)[number]): Schema[] =>
    [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).map(({ schema }) => schema),
    )

  const partOf = (name: string): string => new RegExp(`<${name}>([^]*?)</${name}>`).exec(page.html)?.[1] ?? ''

  test('loads nothing: every reference is to itself, to the document, or a link to follow', () => {
    expect(/<(?!a )[^>]* (?:href|src)="https:/.exec(page.html)).toBeNull()
    const references = page.html.matchAll(/\s(?:href|src|srcset|action|data)="([^"]*)"/g)
    const away = Array.from(references, ([, target = '']) => target).filter(
      (target) => !target.startsWith('#') && !target.startsWith('https://'),
    )
    expect([...new Set(away)]).toEqual(['data:,', documentPath])
    expect(missing(assets.style, ['@import', 'url('])).toHaveLength(2)
  })

  test('is small enough for a slow connection', () => {
    expect(gzipSync(page.html).length).toBeLessThan(bytesMax)
  })

  test('its policy allows exactly its own style and script', () => {
    const policy = page.headers['Content-Security-Policy']
    for (const name of ['style', 'script']) {
      const digest = createHash('sha256').update(partOf(name)).digest('base64')
      expect(policy).toContain(`${name}-src 'sha256-${digest}'`)
      expect(page.html.split(`<${name}`)).toHaveLength(2)
    }
    expect(/\s(?:on\w+|style)="/.exec(page.html)).toBeNull()
  })

  test('the script neither evaluates text nor names another origin', () => {
    expect(assets.script).not.toMatch(/\beval\(|new Function\(|https?:\/\//)
  })

  test('escapes all text of the document', () => {
    const hostile = fc.constantFrom('<img src=x>', '"><img>', '</script><img>', `' onload='<img>`)
    fc.assert(
      fc.property(hostile, fc.string(), (tag, noise) => {
        const words = JSON.stringify(tag + noise).slice(1, -1)
        const described = text.replaceAll(/"(description|summary)":"/g, (start) => start + words)
        expect(pageFor(described).html.includes('<img')).toBe(false)
      }),
      { numRuns: 10 },
    )
  })
})

test('a document names its credential: a key of its own header, or a bearer token', () => {
  const [ofKeys, ofTokens] = documents.map(
    ([, openApi, documentPath]) => pageOf(JSON.stringify(openApi), { documentPath, servers: [] }, assets).html,
  )
  expect(ofKeys).toContain('placeholder="X-API-Key"')
  expect(ofKeys).toContain('-H "X-API-Key: $QUIPU_API_KEY"')
  expect(ofTokens).toContain('placeholder="Authorization: Bearer …"')
  expect(ofTokens).toContain('-H "Authorization: Bearer $QUIPU_OPERATOR_TOKEN"')
  expect(ofTokens).not.toContain('X-API-Key')
})
