import { crc32, deflateSync } from 'node:zlib'

/** A QR as a page shows it. */
export type DrawnQr = {
  /** A `data:image/png;base64,…` URI. */
  readonly png: string
  /** An SVG document. */
  readonly svg: string
}

/** Light modules around the code, as ISO 18004 wants them. */
const quiet = 4
/** Pixels that a module of the PNG is wide. */
const scale = 4

/** Computes the modules once, and draws both pictures of them with one bit a pixel. */
export async function drawQr(content: string): Promise<DrawnQr> {
  const { create } = await import('qrcode') // Of no use in production.
  // One segment of bytes: a search for a shorter mix of modes finds none in base64, and takes longer
  // than everything else.
  const segment = { data: Buffer.from(content), mode: 'byte' } as const
  const { modules } = create([segment], { errorCorrectionLevel: 'M' })
  const code = {
    size: modules.size,
    isDark: (row: number, column: number) => modules.get(row, column) === 1,
  }
  return { png: `data:image/png;base64,${pngOf(code).toString('base64')}`, svg: svgOf(code) }
}

type Code = { readonly size: number; isDark(row: number, column: number): boolean }

/** Each run of dark modules is a line of height 1, drawn through the middle of its row. */
function svgOf({ size, isDark }: Code): string {
  let path = ''
  for (let row = 0; row < size; row++)
    for (let column = 0, end; column < size; column = end + 1) {
      for (end = column; end < size && isDark(row, end);) end++
      if (end > column) path += `M${column + quiet} ${row + quiet + 0.5}h${end - column}`
    }
  const side = size + 2 * quiet
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${path}"/></svg>\n`
  )
}

/** Greyscale with one bit a pixel, unfiltered. */
function pngOf({ size, isDark }: Code): Buffer {
  const side = (size + 2 * quiet) * scale
  const stride = 1 + Math.ceil(side / 8) // A row begins with its filter, which is none.
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
  header.writeUInt8(1, 8) // Bits a pixel; the other members are 0: greyscale, deflate, no interlace.
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
