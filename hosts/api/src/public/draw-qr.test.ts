import fc from 'fast-check'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { drawQr } from './draw-qr.ts'

type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }

const pngOf = (uri: string): Pixels => {
  const [type, base64 = ''] = uri.split(',')
  expect(type).toBe('data:image/png;base64')
  return PNG.sync.read(Buffer.from(base64, 'base64'))
}

const readPixels = ({ data, width, height }: Pixels): string | undefined =>
  jsQr.default(new Uint8ClampedArray(data), width, height)?.data

/** The SVG's lines rasterized at four pixels per unit. */
function rasterized(svg: string): Pixels {
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]) * 4
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)\.5h(\d+)/g))
    for (let row = Number(y) * 4; row < (Number(y) + 1) * 4; row++)
      for (let at = Number(x) * 4; at < (Number(x) + Number(length)) * 4; at++)
        data.fill(0, (row * side + at) * 4, (row * side + at) * 4 + 3)
  return { width: side, height: side, data }
}

test('a reader decodes any content from PNG and SVG, which are equal pixel by pixel', async () => {
  const content = fc.oneof(
    fc.string({ minLength: 1, maxLength: 500 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    fc
      .uint8Array({ minLength: 256, maxLength: 256 })
      .map((block) => `${Buffer.from(block).toString('base64')}|5A0D0123456789ABCDEF0123456789AB`),
  )
  await fc.assert(
    fc.asyncProperty(content, async (text) => {
      const { png, svg } = await drawQr(text)
      const pixels = pngOf(png)
      const lines = rasterized(svg)
      expect([lines.width, lines.height]).toEqual([pixels.width, pixels.height])
      expect(Buffer.compare(lines.data, pixels.data)).toBe(0)
      expect(readPixels(pixels)).toBe(text)
    }),
    { numRuns: 20 },
  )
})
