import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const wire = fileURLToPath(new URL('../../wire/src/index.ts', import.meta.url))
const entry = '\0entry'

/** The size in bytes of a bundle with one export of `@quipu/wire` and its imports, not minified. */
async function bundledSize(name: string): Promise<number> {
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'default'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? `export { ${name} } from ${JSON.stringify(wire)}` : null),
      },
    ],
  })
  const { output } = await bundle.generate()
  await bundle.close()
  return Buffer.byteLength(output[0].code)
}

test('encodeEvent bundles without zod and the OpenAPI documents', async () => {
  expect(await bundledSize('encodeEvent')).toBeLessThan(40_000)
})

test('a bundle of parsePayoutRequest contains zod', async () => {
  expect(await bundledSize('parsePayoutRequest')).toBeGreaterThan(100_000)
})
