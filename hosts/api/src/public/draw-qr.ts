import { crc32, deflateSync } from 'node:zlib'

/** A QR code as an image. */
export type DrawnQr = {
  /** A `data:image/png;base64,…` URI. */
  readonly png: string
  /** An SVG document. */
  readonly svg: string
}

/** Width of the quiet zone in modules, as ISO 18004 requires. */
const quiet = 4
/** Width of a module of the PNG in pixels. */
const scale = 4

/** Draws a QR code as PNG and as SVG. */
export async function drawQr(content: string): Promise<DrawnQr> {
  const code = await codeOf(content)
  return { png: `data:image/png;base64,${pngOf(code).toString('base64')}`, svg: svgOf(code) }
}

/** A QR code for a page that allows no image of elsewhere: the `d` of an SVG path with strokes of width 1, and its side. */
export async function qrPath(content: string): Promise<{ readonly d: string; readonly side: number }> {
  const code = await codeOf(content)
  return { d: pathOf(code), side: code.size + 2 * quiet }
}

type Code = { readonly size: number; isDark(row: number, column: number): boolean }

async function codeOf(content: string): Promise<Code> {
  const { create } = await import('qrcode') // Loaded on demand: most processes draw none.
  // One byte segment: base64 has no shorter mix of modes, and the search for one dominates the time.
  const segment = { data: Buffer.from(content), mode: 'byte' } as const
  const { modules } = create([segment], { errorCorrectionLevel: 'M' })
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 }
}

/** Each run of dark modules is a horizontal line of width 1. */
function pathOf({ size, isDark }: Code): string {
  let path = ''
  for (let row = 0; row < size; row++)
    for (let column = 0, end; column < size; column = end + 1) {
      for (end = column; end < size && isDark(row, end);) end++
      if (end > column) path += `M${column + quiet} ${row + quiet + 0.5}h${end - column}`
    }
  return path
}

function svgOf(code: Code): string {
  const side = code.size + 2 * quiet
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${pathOf(code)}"/></svg>\n`
  )
}

/** Greyscale, one bit per pixel, unfiltered. */
function pngOf({ size, isDark }: Code): Buffer {
  const side = (size + 2 * quiet) * scale
  const stride = 1 + Math.ceil(side / 8) // Each row starts with its filter type, 0.
  const pixels = Buffer.alloc(stride * side, 0xff)
  for (let y = 0; y < side; y++) pixels[y * stride] = 0
  for (let row = 0; row < size; row++) {
    const first = (row + quiet) * scale * stride
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue
      for (let x = (column + quiet) * scale, end = x + scale; x < end; x++) {
        const at = first + 1 + (x >> 3)
        pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7))
      }
    }
    for (let y = 1; y < scale; y++) pixels.copy(pixels, first + y * stride, first, first + stride)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8) // Bit depth. The other fields are 0: greyscale, deflate, no interlace.
  const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1')
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND')]
  return Buffer.concat([signature, ...chunks])
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
